import { randomUUID } from "node:crypto";
import type { AddressInfo } from "node:net";
import { AgentCard, Task, TaskArtifactUpdateEvent, TaskStatusUpdateEvent } from "@a2a-js/sdk";
import {
  AgentEvent,
  type AgentExecutor,
  DefaultRequestHandler,
  InMemoryTaskStore,
  ServerCallContext,
} from "@a2a-js/sdk/server";
import { jsonRpcHandler, UserBuilder } from "@a2a-js/sdk/server/express";
import express from "express";
import { clock } from "../library/questions.ts";
import { chunkText, TRIVIAL, TRIVIAL_ANSWER } from "../library/tasks.ts";
import type { Role } from "./role.ts";

/** The SDK's own server on Express with its store in memory. Its executor publishes when it is told to. */
export async function begin(): Promise<Role> {
  const store = new InMemoryTaskStore();
  const told: ((updates: number) => void)[] = [];
  const executor: AgentExecutor = {
    async execute({ taskId, contextId, userMessage }, bus) {
      const status = (state: string) => ({ state, timestamp: new Date().toISOString() });
      if (userMessage.messageId.startsWith(TRIVIAL)) {
        const parts = [{ text: TRIVIAL_ANSWER }];
        const message = { messageId: randomUUID(), role: "ROLE_AGENT", taskId, contextId, parts };
        const completed = { ...status("TASK_STATE_COMPLETED"), message };
        bus.publish(AgentEvent.task(Task.fromJSON({ id: taskId, contextId, status: completed })));
        bus.finished();
        return;
      }
      bus.publish(
        AgentEvent.task(Task.fromJSON({ id: taskId, contextId, status: status("TASK_STATE_WORKING") })),
      );
      const updates = await new Promise<number>((resolve) => told.push(resolve));
      for (let n = 0; n < updates; n++) {
        const artifact = { artifactId: "output", parts: [{ text: chunkText(n) }] };
        const update = { taskId, contextId, artifact, append: n > 0, lastChunk: false };
        bus.publish(AgentEvent.artifactUpdate(TaskArtifactUpdateEvent.fromJSON(update)));
      }
      const end = { taskId, contextId, status: status("TASK_STATE_COMPLETED") };
      bus.publish(AgentEvent.statusUpdate(TaskStatusUpdateEvent.fromJSON(end)));
      bus.finished();
    },
    cancelTask: async () => undefined,
  };
  const card = AgentCard.fromJSON({
    name: "rival",
    version: "1",
    supportedInterfaces: [
      { url: "http://localhost/a2a", protocolBinding: "JSONRPC", protocolVersion: "1.0" },
    ],
    capabilities: { streaming: true },
    defaultInputModes: ["text/plain"],
    defaultOutputModes: ["text/plain"],
  });
  const app = express();
  const requestHandler = new DefaultRequestHandler(card, store, executor);
  app.use("/a2a", jsonRpcHandler({ requestHandler, userBuilder: UserBuilder.noAuthentication }));
  const server = app.listen(0, "127.0.0.1");
  await new Promise((resolve) => server.once("listening", resolve));
  server.keepAliveTimeout = 75_000;
  return {
    ready: String((server.address() as AddressInfo).port), // not a pipe: it listens on a port
    answers: {
      task: (json: unknown) => store.save(Task.fromJSON(json), new ServerCallContext()),
      publish({ updates }: { updates: number }) {
        const began = clock();
        told.shift()?.(updates);
        return began;
      },
    },
  };
}
