import { A2aActorSchema, type RemotePlace, type RemoteSaid } from "@cleveragents/domain";
import { describe, expect, test } from "vitest";
import {
  type RemoteAgent,
  RemoteAgentError,
  type RemoteAgents,
  type RemoteUpdate,
} from "../ports/remote-agent.ts";
import { type RemoteDeps, remoteTurn } from "./remote-turn.ts";

const actor = A2aActorSchema.parse({
  name: "local/helper",
  type: "a2a",
  description: "x",
  card: "https://agents.example",
  limits: { file_bytes: 10 },
});
const said: RemoteSaid = { messageId: "m1", text: "Hello", place: {} };
const PLACE: RemotePlace = { taskId: "t1", contextId: "c1" };

/** An agent that does as it is told, and a process that knows of messages that it has not sent. */
function reaching(parts: Partial<RemoteAgent>, unsent: readonly string[] = []) {
  const sent: string[] = [];
  const cancelled: RemotePlace[] = [];
  const agent: RemoteAgent = {
    async send(message) {
      sent.push(message.messageId);
      return PLACE;
    },
    async *say() {},
    async *follow() {},
    find: async () => "nothing",
    async cancel(place) {
      cancelled.push(place);
    },
    download: async () => "",
    ...parts,
  };
  const agents: RemoteAgents = { open: async () => agent, probe: async () => [] };
  const deps: RemoteDeps = { agents, unsent: new Set(unsent) };
  const heard: string[] = [];
  const take = (of: RemoteSaid = said, signal = new AbortController().signal, by = actor) =>
    remoteTurn(deps, by, of, { signal, onText: (text) => void heard.push(text) });
  return { sent, cancelled, heard, deps, take };
}

async function* updates(...all: (RemoteUpdate | Error)[]): AsyncGenerator<RemoteUpdate> {
  for (const update of all) {
    if (update instanceof Error) throw update;
    yield update;
  }
}

const text = (words: string, append = false): RemoteUpdate => ({
  kind: "artifact",
  artifact: { artifactId: "a", parts: [{ kind: "text", text: words }] },
  append,
});
const DONE: RemoteUpdate = { kind: "rest", state: "completed", parts: [] };
const LOST = new RemoteAgentError("REMOTE_UNAVAILABLE", "it was lost");

describe("a message for somebody elsewhere", () => {
  test("that this process has written down is sent, and followed by where it was taken", async () => {
    const here = reaching({}, ["m1"]);
    expect(await here.take()).toEqual({ kind: "taken", place: PLACE });
    expect(here.sent).toEqual(["m1"]);
  });

  test("that another process may have sent is asked after, and sent only if it is not there", async () => {
    const there = reaching({ find: async () => PLACE });
    expect(await there.take()).toEqual({ kind: "taken", place: PLACE });
    expect(there.sent).toEqual([]);
    const nowhere = reaching({ find: async () => "nothing" });
    await nowhere.take();
    expect(nowhere.sent).toEqual(["m1"]);
  });

  test("of which nobody can say whether it is there is sent again only when somebody lets it", async () => {
    const here = reaching({ find: async () => "unknown" });
    expect(await here.take()).toMatchObject({ kind: "failed", reason: "INTERRUPTED", again: true });
    expect(here.sent).toEqual([]);
    expect(await here.take()).toMatchObject({ kind: "taken" });
    expect(here.sent).toEqual(["m1"]);
  });

  test("that surely did not arrive is sent without asking, and one that was lost is asked after", async () => {
    const asked: string[] = [];
    const failing = (unsent: boolean) => ({
      find: async (id: string) => {
        asked.push(id);
        return "nothing" as const;
      },
      send: async () => {
        throw new RemoteAgentError("REMOTE_UNAVAILABLE", "no", { unsent });
      },
    });
    const away = reaching(failing(true), ["m1"]);
    for (const _ of [1, 2])
      expect(await away.take()).toMatchObject({ reason: "REMOTE_UNAVAILABLE", again: true });
    expect(asked).toEqual([]);
    const lost = reaching(failing(false), ["m1"]);
    for (const _ of [1, 2]) await lost.take();
    expect(asked).toEqual(["m1"]);
  });
});

describe("work elsewhere", () => {
  const followed = { ...said, taken: PLACE };

  test("is followed over a lost connection, and says nothing twice of what it appends", async () => {
    let looks = 0;
    const here = reaching({
      follow: () =>
        ++looks === 1 ? updates(text("one"), text(" two", true), LOST) : updates(text("one two three"), DONE),
    });
    expect(await here.take(followed)).toMatchObject({
      kind: "answered",
      answer: { state: "completed", artifacts: [{ parts: [{ text: "one two three" }] }] },
    });
    expect(here.heard.join("")).toBe("one two three");
  });

  test("that sends more than is taken of it has failed for good", async () => {
    const bytes: RemoteUpdate = {
      kind: "artifact",
      artifact: { artifactId: "a", parts: [{ kind: "bytes", bytes: "AAAA".repeat(10) }] },
      append: false,
    };
    const here = reaching({ follow: () => updates(bytes, DONE) });
    expect(await here.take(followed)).toMatchObject({ reason: "REMOTE_TOO_LARGE", again: false });
  });

  test("that takes longer than it may is stopped, and that is said", async () => {
    const here = reaching({
      async *follow(_place, signal) {
        await new Promise((_resolve, reject) =>
          signal.addEventListener("abort", () => reject(signal.reason)),
        );
        yield DONE;
      },
    });
    const hasty = { ...actor, limits: { ...actor.limits, answer: 0.01 } };
    expect(await here.take(followed, undefined, hasty)).toMatchObject({
      reason: "REMOTE_TIMEOUT",
      again: false,
    });
    expect(here.cancelled).toEqual([PLACE]);
  });

  test("goes on over there when this process is stopped", async () => {
    const stop = new AbortController();
    const here = reaching({
      async *follow() {
        stop.abort(new Error("stopping"));
        yield* updates(LOST);
      },
    });
    await expect(here.take(followed, stop.signal)).rejects.toThrow("stopping");
    expect(here.cancelled).toEqual([]);
  });
});
