import type { MessageTurn, TurnEnd, TurnLog } from "@cleveragents/application";
import type { Artifact, Message, Part } from "@cleveragents/domain";

/** What a suite asks an agent to do when it is told a certain thing. */
export interface Behaviour {
  /** An answer that needs no task. */
  readonly reply?: readonly Part[];
  run?(turn: MessageTurn, log: TurnLog): Promise<TurnEnd>;
}

/** Finds the behaviour that one suite wants for a message; undefined when the message is none of its own. */
export type FindBehaviour = (message: Message, history: readonly Message[]) => Behaviour | undefined;

export const text = (words: string): Part[] => [{ kind: "text", text: words }];

/** Completes with words and, before that, an artifact of these parts. */
export function completing(words: string, ...parts: readonly Part[]): Behaviour {
  return {
    async run(_turn, log) {
      if (parts.length > 0) await log.artifact({ artifact: artifact(parts), lastChunk: true });
      return { state: "completed", parts: text(words) };
    },
  };
}

/** Says `working`, then pieces of one artifact, then completes. */
export function streaming(...pieces: readonly Part[]): Behaviour {
  return {
    async run(_turn, log) {
      await log.status("working");
      for (const [n, piece] of pieces.entries())
        await log.artifact({
          artifact: artifact([piece]),
          append: n > 0,
          lastChunk: n === pieces.length - 1,
        });
      return { state: "completed" };
    },
  };
}

export function ending(state: TurnEnd["state"], words: string): Behaviour {
  return { run: async () => ({ state, parts: text(words) }) };
}

function artifact(parts: readonly Part[]): Artifact {
  return { artifactId: "answer", name: "answer", parts };
}

/** The behaviour under the longest key that the words begin with: one key may begin another one. */
export function longestPrefix(
  behaviours: Readonly<Record<string, Behaviour>>,
  words: string,
): Behaviour | undefined {
  const [key] = Object.keys(behaviours)
    .filter((prefix) => words.startsWith(prefix))
    .sort((a, b) => b.length - a.length);
  return key === undefined ? undefined : behaviours[key];
}
