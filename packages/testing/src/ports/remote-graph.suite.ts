import type { RemoteAgent, RemoteAgents, RemoteRested, RemoteUpdate } from "@cleveragents/application";
import { type RemoteGraphActor, RemoteGraphActorSchema, textOf } from "@cleveragents/domain";
import { afterAll, beforeAll, describe, expect, test } from "vitest";

/** A LangGraph server that has the graph `asker`, and how it is reached. */
export interface GraphServer extends AsyncDisposable {
  readonly url: string;
  readonly agents: RemoteAgents;
}

/**
 * What a graph on a server is to us. `asker` has messages; it echoes the last one, unless that has a word in it: `ask`
 * interrupts with a question and two options and says what it was answered, `boom` throws, `slow` takes half a minute.
 */
export function remoteGraphSuite(open: () => Promise<GraphServer>): void {
  describe("a graph on a LangGraph server", () => {
    let server: GraphServer;
    let agent: RemoteAgent;
    const never = new AbortController().signal;
    const actor = (graph_id: string): RemoteGraphActor =>
      RemoteGraphActorSchema.parse({
        name: "local/graph",
        type: "remote_graph",
        description: "x",
        url: server.url,
        graph_id,
      });
    let said = 0;
    const message = (text: string) => ({
      messageId: `suite-${process.pid}-${Date.now()}-${++said}`,
      parts: [{ kind: "text" as const, text }],
      place: {},
    });
    async function rested(updates: AsyncIterable<RemoteUpdate>): Promise<RemoteRested> {
      for await (const update of updates) if (update.kind === "rest") return update;
      throw new Error("it has not come to rest");
    }
    beforeAll(async () => {
      server = await open();
      agent = await server.agents.open(actor("asker"), never);
    });
    afterAll(() => server[Symbol.asyncDispose]());

    test("answers with its last message, which streams while it comes", async () => {
      const updates: RemoteUpdate[] = [];
      for await (const update of agent.say(message("hello"), never)) updates.push(update);
      expect(updates.map(({ kind }) => kind)).toEqual(["taken", "artifact", "rest"]);
      expect(updates[1]).toMatchObject({ append: false, artifact: { parts: [{ text: "echo: hello" }] } });
      expect(updates[2]).toMatchObject({
        state: "completed",
        parts: [{ kind: "text", text: "echo: hello" }],
      });
    });

    test("asks with what it interrupts with, and goes on with the answer on its thread", async () => {
      const asking = await agent.send(message("please ask"), never);
      if ("kind" in asking) throw new Error("it has nothing to follow");
      expect(await rested(agent.follow(asking, never))).toMatchObject({
        state: "input-required",
        parts: [{ text: "Which colour?" }],
        options: ["red", "blue"],
      });
      const answer = { ...message("red"), place: asking, answers: true };
      const answering = await agent.send(answer, never);
      if ("kind" in answering) throw new Error("it has nothing to follow");
      expect(answering.contextId).toBe(asking.contextId);
      const end = await rested(agent.follow(answering, never));
      expect(end).toMatchObject({ state: "completed" });
      expect(textOf(end)).toContain("red");
    });

    test("that throws has failed, and says why", async () => {
      const end = await rested(agent.say(message("boom"), never));
      expect(end.state).toBe("failed");
      expect(textOf(end)).toContain("boom");
    });

    test("is found again by its message, and is not where nothing was sent", async () => {
      const first = message("hello");
      expect(await agent.find(first.messageId, {}, never)).toBe("nothing");
      const place = await agent.send(first, never);
      expect(await agent.find(first.messageId, {}, never)).toEqual(place);
      expect(await rested(agent.follow(place as never, never))).toMatchObject({ state: "completed" }); // it is a place
    });

    test("stops when it is asked to, and bears being asked again", async () => {
      const place = await agent.send(message("slow"), never);
      if ("kind" in place) throw new Error("it has nothing to follow");
      await agent.cancel(place, never);
      expect(await rested(agent.follow(place, never))).toMatchObject({ state: "canceled" });
      await agent.cancel(place, never);
    });

    test("that the server does not have is refused, and the probe says what it has", async () => {
      const other = await server.agents.open(actor("nobody"), never);
      await expect(other.send(message("hello"), never)).rejects.toMatchObject({ reason: "REMOTE_REFUSED" });
      expect(await server.agents.probe(actor("nobody"), never)).toMatchObject([
        { probe: "credential", verdict: "ok" },
        { probe: "server", verdict: "ok" },
        { probe: "graph", verdict: "failed", detail: "it has no nobody; it has asker" },
      ]);
      expect(await server.agents.probe(actor("asker"), never)).toMatchObject([{}, {}, { verdict: "ok" }]);
    });
  });
}
