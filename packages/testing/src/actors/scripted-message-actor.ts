import { setTimeout as sleep } from "node:timers/promises";
import type { MessageActor, MessageTurn, TurnEnd, TurnLog } from "@cleveragents/application";
import { type Message, type Part, textOf } from "@cleveragents/domain";

const text = (words: string): Part[] => [{ kind: "text", text: words }];

/** What an actor does that throws: words that no peer may ever see. */
export const SECRET_WORDS = "/srv/secret/db.sqlite sk-test-123 SELECT * FROM users";

type Behaviour = (turn: MessageTurn, log: TurnLog, amount: number) => Promise<TurnEnd>;

/** By the first word of the text, its number apart: `slow-3s` is `slow` with 3. */
const BEHAVIOURS: Readonly<Record<string, Behaviour>> = {
  /** Says the same parts back, as an artifact. */
  async echo(turn, log) {
    const parts = turn.message.parts;
    await log.artifact({ artifact: { artifactId: "echo", name: "echo", parts }, lastChunk: true });
    return { state: "completed", parts: text("Echoed.") };
  },

  /** Asks until it is answered with something other than `ask`. */
  async ask() {
    return { state: "input-required", parts: text("What should I call it?") };
  },

  /** Works for some seconds before it answers. */
  async slow(turn, log, seconds) {
    await log.status("working", text(`This takes ${seconds} s.`));
    await sleep(seconds * 1000, undefined, { signal: turn.signal });
    await log.artifact({ artifact: { artifactId: "slow", parts: text("slow") }, lastChunk: true });
    return { state: "completed", parts: text("Done.") };
  },

  /** Fails by its own fault, after it has said something. */
  async boom(_turn, log) {
    await log.artifact({ artifact: { artifactId: "half", parts: text("half") } });
    throw new Error(SECRET_WORDS);
  },

  /** Says many things at once. */
  async burst(_turn, log, count) {
    for (let n = 1; n <= count; n++) {
      await log.artifact({
        artifact: { artifactId: "burst", parts: text(`${n} `) },
        append: n > 1,
        lastChunk: n === count,
      });
    }
    return { state: "completed" };
  },

  /** Waits for a credential that comes from elsewhere, then goes on by itself. */
  async auth(turn, log, seconds) {
    await log.status("auth-required", text("A credential is needed."));
    await sleep(seconds * 1000, undefined, { signal: turn.signal });
    return { state: "completed", parts: text("The credential came.") };
  },

  async reject() {
    return { state: "rejected", parts: text("Not that.") };
  },
};

/** Amounts where the text names none. */
const AMOUNTS: Readonly<Record<string, number>> = { slow: 3, burst: 200, auth: 2 };

function readBehaviour(message: Message): { name: string; amount: number } {
  const word = textOf(message).trim().split(/\s/)[0]?.toLowerCase() ?? "";
  const [, name = word, amount] = /^([a-z]+)-(\d+(?:\.\d+)?)(?:s|ms)?$/.exec(word) ?? [];
  const number = amount === undefined ? (AMOUNTS[name] ?? 0) : Number(amount);
  return { name, amount: word.endsWith("ms") ? number / 1000 : number };
}

/**
 * Somebody to talk to without a model: what it does is the first word of the message (`echo …`, `msg`, `ask`, `slow-3s`,
 * `boom`, `burst-200`, `auth`, `reject`); anything else it echoes.
 */
export const scriptedMessageActor: MessageActor = {
  inputModes: ["text/*", "application/json", "application/octet-stream", "image/*"],

  async reply(message) {
    return readBehaviour(message).name === "msg" ? text("A message is all you get.") : undefined;
  },

  async run(turn, log) {
    const { name, amount } = readBehaviour(turn.message);
    const behaviour = BEHAVIOURS[name] ?? (BEHAVIOURS["echo"] as Behaviour);
    return behaviour(turn, log, amount);
  },
};
