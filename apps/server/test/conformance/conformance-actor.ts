import type { MessageActor } from "@cleveragents/application";
import { textOf } from "@cleveragents/domain";
import { scriptedMessageActor } from "@cleveragents/testing/actors";
import { type Behaviour, ending, type FindBehaviour } from "./behaviour.ts";

/** First words that the scripted actor knows. */
const SCRIPTED = /^(echo|msg|ask|slow|boom|burst|auth|reject)\b/;

/**
 * One who behaves as each suite asks; the first that claims a message has it. What nobody claims is a question that
 * stays open, so that the 0.3 kit can go on with its tasks.
 */
export function conformanceActor(suites: readonly FindBehaviour[]): MessageActor {
  const otherwise: Behaviour = ending("input-required", "What else?");
  const find: FindBehaviour = (message, history) => {
    for (const suite of suites) {
      const found = suite(message, history);
      if (found !== undefined) return found;
    }
    return SCRIPTED.test(textOf(message).trim()) ? undefined : otherwise;
  };
  return {
    inputModes: [...(scriptedMessageActor.inputModes ?? []), "application/x-protobuf"],
    async reply(message, signal) {
      const found = find(message, [message]);
      return found === undefined ? scriptedMessageActor.reply?.(message, signal) : found.reply;
    },
    async run(turn, log) {
      const found = find(turn.message, turn.history);
      if (found === undefined) return scriptedMessageActor.run(turn, log);
      if (found.run === undefined) return { state: "completed", parts: found.reply ?? [] };
      return found.run(turn, log);
    },
  };
}
