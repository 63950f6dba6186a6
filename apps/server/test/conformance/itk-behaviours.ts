import { setTimeout as sleep } from "node:timers/promises";
import type { Message as SdkMessage, SendMessageRequest, StreamResponse } from "@a2a-js/sdk";
import {
  type Client,
  ClientFactory,
  DefaultAgentCardResolver,
  JsonRpcTransportFactory,
  RestTransportFactory,
} from "@a2a-js/sdk/client";
import type { Message } from "@cleveragents/domain";
import { type FindBehaviour, text } from "./behaviour.ts";
import { type CallAgent, type Instruction, readInstruction } from "./itk-instruction.ts";

const PROTOBUF = "application/x-protobuf";
/** By what the kit's runner knows that a task which is held has said all. */
const FINISHED = "task-finished";
const HOLD_MS = 10_000;

/**
 * A2A's interoperability kit: an instruction in a part says what to answer and whom to call, which is done with the
 * official client, in the version and over the binding that the other agent's card offers.
 */
export const itkBehaviours: FindBehaviour = (message) => {
  const instruction = instructionIn(message);
  if (instruction === undefined) return undefined;
  return {
    async run({ signal }, log) {
      await log.status("working");
      const said = (await follow(instruction)).join("\n");
      if (holds(instruction)) {
        await log.status("working", text(`${said}\n${FINISHED}`));
        await sleep(HOLD_MS, undefined, { signal });
      }
      return { state: "completed", parts: text(said) };
    },
  };
};

function instructionIn({ parts }: Message): Instruction | undefined {
  for (const part of parts) {
    if (part.kind !== "bytes" || (part.mediaType !== PROTOBUF && part.filename !== "instruction.bin"))
      continue;
    const found = readInstruction(Buffer.from(part.bytes, "base64"));
    if (found !== undefined) return found;
  }
  return undefined;
}

function holds(instruction: Instruction): boolean {
  if (instruction.kind === "steps") return instruction.steps.some(holds);
  return instruction.kind === "respond" && instruction.hold;
}

async function follow(instruction: Instruction): Promise<string[]> {
  if (instruction.kind === "respond") return [instruction.response];
  if (instruction.kind === "call") return call(instruction.call);
  const said: string[] = [];
  for (const step of instruction.steps) said.push(...(await follow(step)));
  return said;
}

const BINDINGS: Readonly<Record<string, "JSONRPC" | "HTTP+JSON">> = {
  JSONRPC: "JSONRPC",
  HTTP_JSON: "HTTP+JSON",
  "HTTP+JSON": "HTTP+JSON",
  REST: "HTTP+JSON",
};

async function call(wanted: CallAgent): Promise<string[]> {
  const binding = BINDINGS[wanted.transport.toUpperCase()];
  if (binding === undefined) throw new Error(`no client for ${wanted.transport}`);
  const legacyCompat = { enabled: true };
  const factory = new ClientFactory({
    transports: [new JsonRpcTransportFactory({ legacyCompat }), new RestTransportFactory({ legacyCompat })],
    preferredTransports: [binding],
    cardResolver: new DefaultAgentCardResolver({ legacyCompat }),
  });
  const client = await factory.createFromUrl(`${wanted.cardUri.replace(/\/$/, "")}/`);
  const request = requestOf(wanted);
  if (wanted.resubscribe) return resubscribe(client, request);
  const said: string[] = [];
  if (wanted.streaming) {
    for await (const event of client.sendMessageStream(request)) said.push(...wordsIn(messageOf(event)));
    return said;
  }
  const answer = await client.sendMessage(request);
  if ("parts" in answer) return wordsIn(answer);
  return [answer.status?.message, ...(answer.history ?? [])].flatMap(wordsIn);
}

function requestOf({ instruction, notify }: CallAgent): SendMessageRequest {
  const url = notify === undefined || /^https?:/.test(notify) ? notify : `http://${notify}`;
  return {
    tenant: "",
    metadata: {},
    message: {
      messageId: crypto.randomUUID(),
      contextId: "",
      taskId: "",
      role: 1, // the user's
      parts: [
        {
          content: { $case: "raw", value: Buffer.from(instruction) },
          filename: "instruction.bin",
          mediaType: PROTOBUF,
          metadata: {},
        },
      ],
      extensions: [],
      referenceTaskIds: [],
      metadata: {},
    },
    configuration:
      url === undefined
        ? undefined
        : {
            acceptedOutputModes: [],
            returnImmediately: false,
            taskPushNotificationConfig: {
              url: `${url}/notifications`,
              token: "itk-token",
              id: "",
              taskId: "",
              tenant: "",
              authentication: undefined,
            },
          },
  };
}

/** Begins a task, leaves its stream, follows it anew until it has said all, and cancels it. */
async function resubscribe(client: Client, request: SendMessageRequest): Promise<string[]> {
  let id: string | undefined;
  const leaving = new AbortController();
  for await (const { payload } of client.sendMessageStream(request, { signal: leaving.signal })) {
    if (payload?.$case === "task") id = payload.value.id;
    else if (payload?.$case === "statusUpdate") id = payload.value.taskId;
    if (id !== undefined) break;
  }
  leaving.abort();
  if (id === undefined) throw new Error("the stream named no task");
  const said: string[] = [];
  for await (const event of client.resubscribeTask({ tenant: "", id })) {
    const history = event.payload?.$case === "task" ? event.payload.value.history : [];
    const words = [...history.filter(({ role }) => role === 2), messageOf(event)].flatMap(wordsIn);
    said.push(...words.map((each) => each.replaceAll(FINISHED, "").trim()).filter((each) => each !== ""));
    if (words.some((each) => each.includes(FINISHED))) break;
  }
  await client.cancelTask({ tenant: "", id, metadata: undefined });
  return said;
}

function messageOf({ payload }: StreamResponse): SdkMessage | undefined {
  if (payload?.$case === "message") return payload.value;
  return payload?.$case === "statusUpdate" || payload?.$case === "task"
    ? payload.value.status?.message
    : undefined;
}

function wordsIn(message: SdkMessage | undefined): string[] {
  return (message?.parts ?? []).flatMap(({ content }) =>
    content?.$case === "text" && content.value !== "" ? [content.value] : [],
  );
}
