import type { Message } from "@cleveragents/domain";
import { type ParamsOf, ProtocolError } from "@cleveragents/protocol";
import type { ActorRunService } from "../../services/actor-run-service.ts";
import { compact, fromWirePart, toWireMessage } from "../../wire/message.ts";
import { toWireTask } from "../../wire/task.ts";
import type { HandlersOf } from "../method-handlers.ts";
import { wired } from "./wired.ts";

type ActorRunMethod = "_cleveragents/registry/actor/run";

export function actorRunHandlers(service: ActorRunService | undefined): HandlersOf<ActorRunMethod> {
  return {
    async "_cleveragents/registry/actor/run"(params, { principal, signal }) {
      const runs = wired(service, "actors");
      const message: Message = {
        messageId: params.message_id ?? runs.messageId(),
        role: "user",
        parts: partsOf(params),
        ...compact({ taskId: params.task_id }),
      };
      const { actor, response, ...answered } = await runs.run(principal, {
        name: params.name,
        message,
        unsafe: params.unsafe ?? false,
        wait: params.wait !== false,
        signal,
      });
      return {
        actor,
        message_id: message.messageId,
        response,
        ...(answered.message === undefined ? {} : { message: toWireMessage(answered.message) }),
        ...(answered.snapshot === undefined ? {} : { task: toWireTask(answered.snapshot) }),
      };
    },
  };
}

function partsOf({ text, parts }: ParamsOf<ActorRunMethod>): Message["parts"] {
  if (text === undefined && parts === undefined)
    throw new ProtocolError("InvalidParams", {
      violations: [{ field: "text", description: "a text or parts are needed" }],
    });
  return [
    ...(text === undefined ? [] : [{ kind: "text" as const, text }]),
    ...(parts ?? []).map(fromWirePart),
  ];
}
