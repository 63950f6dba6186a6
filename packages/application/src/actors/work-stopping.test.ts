import { A2aActorSchema, type Plan, type RemotePlace, type RemoteWork } from "@cleveragents/domain";
import { describe, expect, test } from "vitest";
import { type RemoteAgent, RemoteAgentError } from "../ports/remote-agent.ts";
import type { RemoteNodes } from "../ports/remote-nodes.ts";
import { WorkStopping } from "./work-stopping.ts";

const actor = A2aActorSchema.parse({
  name: "local/helper",
  type: "a2a",
  description: "x",
  card: "https://agents.example",
});
const PLACE: RemotePlace = { taskId: "t1", contextId: "c1" };
const NEW: RemoteWork = { reversions: 0, attempt: 1, said: 1, guided: 0, place: {}, files: [], steps: [] };
const said = { messageId: "m1", text: "x", place: {} };
const signal = new AbortController().signal;

const planOf = (work: Partial<RemoteWork>): Plan =>
  ({
    planId: "p",
    attempt: 1,
    steps: [],
    sources: { execution: { kind: "a2a", actor: actor.name, settings: actor } },
    remotes: { execution: { ...NEW, ...work } },
  }) as unknown as Plan; // nothing else is read

function stopping(parts: Partial<RemoteAgent>, nodes: readonly RemoteNodes[] = [], unsent: string[] = []) {
  const cancelled: RemotePlace[] = [];
  const agent = {
    find: async () => "nothing",
    cancel: async (place: RemotePlace) => void cancelled.push(place),
    ...parts,
  } as unknown as RemoteAgent; // nothing else is called
  const agents = { open: async () => agent, probe: async () => [] };
  const elsewhere = new WorkStopping({ remote: { agents, unsent: new Set(unsent) }, remoteNodes: nodes });
  const undone = (before: Plan) => elsewhere.undone(before, { ...before, attempt: 2, reversions: 1 }, signal);
  return { cancelled, undone };
}

describe("work elsewhere of a plan that is taken back", () => {
  test("is stopped where it is done, or where it has asked, and is the plan's no longer", async () => {
    const here = stopping({});
    const { plan, events } = await here.undone(planOf({ pending: { ...said, taken: PLACE } }));
    expect(here.cancelled).toEqual([PLACE]);
    expect(plan.remotes?.execution).toEqual(NEW);
    expect(events).toMatchObject([{ name: "remote.stopped", data: { role: "execution", task_id: "t1" } }]);
    await here.undone(planOf({ place: PLACE, asks: { question: "?", options: [] } }));
    expect(here.cancelled).toEqual([PLACE, PLACE]);
  });

  test("that may have been handed over is looked for; what surely was not is nobody's", async () => {
    const there = stopping({ find: async () => PLACE });
    await there.undone(planOf({ pending: said }));
    expect(there.cancelled).toEqual([PLACE]);
    const never = stopping({ find: async () => PLACE }, [], ["m1"]);
    expect((await never.undone(planOf({ pending: said }))).events).toEqual([]);
    expect(never.cancelled).toEqual([]);
  });

  test("of somebody who cannot be told goes on over there, which the log says", async () => {
    const away = stopping({
      cancel: async () => {
        throw new RemoteAgentError("REMOTE_UNAVAILABLE", "nobody answers");
      },
    });
    const { plan, events } = await away.undone(planOf({ pending: { ...said, taken: PLACE } }));
    expect(events).toMatchObject([{ name: "remote.not_stopped", data: { message: "nobody answers" } }]);
    expect(plan.remotes?.execution?.pending).toBeUndefined();
  });

  test("of a node of a graph is stopped, too, and why it could not be is said", async () => {
    const node = { kind: "remote", of: "a2a", settings: { a: 1 }, within: "", format: "text" };
    const need = {
      id: "n",
      node: "far",
      effect: { kind: "remote", text: "", values: {} },
      callId: "call-1",
      remote: { state: { at: 1 } },
    };
    const before = {
      ...planOf({}),
      remotes: {},
      guidance: [],
      sources: { review: { kind: "graph", actor: "g", settings: { nodes: { far: node } } } },
      graphs: {
        review: { attempt: 1, reversions: 0, run: 1, needs: [need], passed: [], steps: 1, calls: 1 },
      },
    } as unknown as Plan; // nothing else is read
    const calls: unknown[] = [];
    const carrier = (why: string | undefined) =>
      ({
        kind: "a2a",
        async cancel(call: unknown) {
          calls.push(call);
          return why;
        },
      }) as unknown as RemoteNodes; // nothing else is called
    expect((await stopping({}, [carrier(undefined)]).undone(before)).events).toMatchObject([
      { name: "remote.stopped", data: { role: "review", node: "far" } },
    ]);
    expect(calls).toEqual([{ callId: "call-1", settings: { a: 1 }, state: { at: 1 } }]);
    expect((await stopping({}, [carrier("it is away")]).undone(before)).events).toMatchObject([
      { name: "remote.not_stopped", data: { message: "it is away" } },
    ]);
  });
});
