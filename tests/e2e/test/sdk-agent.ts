import { randomUUID } from "node:crypto";
import { once } from "node:events";
import type { AddressInfo } from "node:net";
import {
  AgentCard,
  Message,
  type Part,
  Task,
  TaskArtifactUpdateEvent,
  TaskStatusUpdateEvent,
} from "@a2a-js/sdk";
import {
  AgentEvent,
  type AgentExecutor,
  DefaultRequestHandler,
  type ExecutionEventBus,
  InMemoryPushNotificationStore,
  InMemoryTaskStore,
  type RequestContext,
} from "@a2a-js/sdk/server";
import { agentCardHandler, jsonRpcHandler, restHandler, UserBuilder } from "@a2a-js/sdk/server/express";
import express from "express";

export interface SdkAgent extends AsyncDisposable {
  readonly url: string;
}

export interface SdkAgentOptions {
  readonly streaming?: boolean;
  /** Who does not bring it is answered 401. */
  readonly bearer?: string;
}

/**
 * The official SDK's server on Express, as its own sample agents are built, before an executor that knows the words of our scripted
 * agent: `echo …`, `msg`, `ask`, `slow`, `burst-3`, `boom`, `auth`, `reject`.
 */
export async function startSdkAgent({ streaming = true, bearer }: SdkAgentOptions = {}): Promise<SdkAgent> {
  const app = express();
  const server = app.listen(0, "127.0.0.1");
  await once(server, "listening");
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const faces = ["1.0", "0.3"].flatMap((protocolVersion) => [
    { url: `${url}/rpc`, protocolBinding: "JSONRPC", protocolVersion },
    { url: `${url}/rest`, protocolBinding: "HTTP+JSON", protocolVersion },
  ]);
  const card = AgentCard.fromJSON({
    name: "SDK sample",
    description: "Does what it is told",
    version: "1",
    supportedInterfaces: faces,
    capabilities: { streaming, pushNotifications: true },
    defaultInputModes: ["text/plain"],
    defaultOutputModes: ["text/plain"],
    skills: [{ id: "say", name: "Say", description: "Says it", tags: ["say"] }],
    ...(bearer !== undefined && {
      securitySchemes: { token: { httpAuthSecurityScheme: { scheme: "Bearer" } } },
      securityRequirements: [{ schemes: { token: { list: [] } } }],
    }),
  });
  const requestHandler = new DefaultRequestHandler(
    card,
    new InMemoryTaskStore(),
    new Executor(),
    undefined,
    new InMemoryPushNotificationStore(),
  );
  const options = {
    requestHandler,
    userBuilder: UserBuilder.noAuthentication,
    legacyCompat: { enabled: true },
  };
  app.use(
    "/.well-known/agent-card.json",
    agentCardHandler({ agentCardProvider: requestHandler, legacyCompat: options.legacyCompat }),
  );
  app.use((request, response, next) => {
    if (bearer === undefined || request.headers.authorization === `Bearer ${bearer}`) next();
    else response.status(401).set("www-authenticate", "Bearer").end();
  });
  app.use("/rpc", jsonRpcHandler(options));
  app.use("/rest", restHandler(options));
  return {
    url,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}

class Executor implements AgentExecutor {
  readonly #stops = new Map<string, () => void>();

  async execute(
    { userMessage, taskId, contextId, task }: RequestContext,
    bus: ExecutionEventBus,
  ): Promise<void> {
    const text = userMessage.parts
      .map(({ content }) => (content?.$case === "text" ? content.value : ""))
      .join("");
    const [, word = "", count = "1"] = /^([a-z]+)(?:-(\d+))?/.exec(text) ?? [];
    if (word === "msg") {
      const parts = [{ text: "A message is all you get." }];
      const said = { messageId: randomUUID(), role: "ROLE_AGENT", contextId, parts };
      bus.publish(AgentEvent.message(Message.fromJSON(said)));
      return bus.finished();
    }
    const submitted = Task.fromJSON({ id: taskId, contextId, status: { state: "TASK_STATE_SUBMITTED" } });
    // With the state of the turn before, whoever waits would be told that it rests.
    bus.publish(
      AgentEvent.task(
        task === undefined ? { ...submitted, history: [userMessage] } : { ...task, status: submitted.status },
      ),
    );
    const status = (state: string, words?: string) => {
      const message =
        words === undefined
          ? undefined
          : { messageId: randomUUID(), role: "ROLE_AGENT", taskId, contextId, parts: [{ text: words }] };
      const now = { state: `TASK_STATE_${state}`, message, timestamp: new Date().toISOString() };
      bus.publish(
        AgentEvent.statusUpdate(TaskStatusUpdateEvent.fromJSON({ taskId, contextId, status: now })),
      );
    };
    const artifact = (artifactId: string, parts: Part[], append = false) =>
      bus.publish(
        AgentEvent.artifactUpdate({
          ...TaskArtifactUpdateEvent.fromJSON({ taskId, contextId, artifact: { artifactId }, append }),
          artifact: {
            artifactId,
            name: artifactId,
            description: "",
            parts,
            metadata: undefined,
            extensions: [],
          },
        }),
      );
    switch (word) {
      case "ask":
        status("INPUT_REQUIRED", "What should I call it?");
        break;
      case "auth":
        status("AUTH_REQUIRED", "A credential is needed.");
        break;
      case "boom":
        status("FAILED", "It did not work.");
        break;
      case "reject":
        status("REJECTED", "Not that.");
        break;
      case "slow":
        status("WORKING", "This takes a while.");
        await new Promise<void>((resolve) => this.#stops.set(taskId, resolve));
        break;
      case "burst":
        for (let n = 1; n <= Number(count); n++) artifact("burst", userMessage.parts.slice(0, 1), n > 1);
        status("COMPLETED");
        break;
      default:
        artifact("echo", userMessage.parts);
        status("COMPLETED", "Echoed.");
    }
    bus.finished();
  }

  async cancelTask(taskId: string, bus: ExecutionEventBus): Promise<void> {
    const update = { taskId, contextId: "", status: { state: "TASK_STATE_CANCELED" } };
    bus.publish(AgentEvent.statusUpdate(TaskStatusUpdateEvent.fromJSON(update)));
    bus.finished();
    this.#stops.get(taskId)?.();
  }
}
