import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { ModelServer, type ReceivedRequest, type ScriptedAnswer } from "../model-server/index.ts";
import type { OpenWorld, World } from "../world/world.ts";
import { refusals } from "./refusals.ts";

/** A model that does what it is asked. */
function able({ body }: ReceivedRequest): ScriptedAnswer {
  const messages = body["messages"] as { role: string; content: string }[];
  const last = messages.at(-1);
  if (last?.role === "tool") return { text: "Done." };
  if (/Call the tool note/.test(last?.content ?? ""))
    return { calls: [{ name: "note", arguments: { word: "ready" } }] };
  if (/JSON alone/.test(last?.content ?? "")) return { text: '{"ready": true}' };
  return { text: "one, two, three, four, five, six" };
}

/** A small one, as many are that people run themselves. */
function unable(request: ReceivedRequest): ScriptedAnswer {
  const { text = "", calls } = able(request);
  if (calls !== undefined) return { text: '<tool_call>{"name": "note"}</tool_call>', usage: "missing" };
  return {
    text: text.startsWith("{") ? `Sure!\n\`\`\`json\n${text}\n\`\`\`` : text,
    usage: "missing",
    whole: true,
  };
}

/** What models can do, and what they have used. */
export function modelContract(open: OpenWorld): void {
  let server: ModelServer;
  let shared: World;
  beforeAll(async () => {
    server = await ModelServer.start(able, { models: ["good"] });
    const settings = "retries: 0, defaults: { prices: { input: 2, output: 10 } }";
    const models = "models: { good: { context: 32000 } }";
    const providers = `providers:\n  test: { kind: openai, base_url: '${server.openAiUrl}', ${settings}, ${models} }\n`;
    shared = await open({ providers });
    for (const name of ["good", "small"]) {
      const document = `name: ${name}\ntype: llm\ndescription: x\nmodel: test/${name}\n`;
      await shared.client.call("_cleveragents/registry/actor/add", { document });
    }
    const document =
      "name: scripted\ntype: script\ndescription: x\nscript: { steps: [{ say: { text: x } }] }\n";
    await shared.client.call("_cleveragents/registry/actor/add", { document });
  });
  afterAll(async () => {
    await shared[Symbol.asyncDispose]();
    await server[Symbol.asyncDispose]();
  });
  const world = () => shared;
  const verdicts = async (name: string) => {
    const { probes, ...said } = await world().client.call("_cleveragents/registry/actor/test", { name });
    return {
      ...said,
      verdicts: Object.fromEntries(probes.map(({ probe, verdict }) => [probe, verdict])),
      probes,
    };
  };

  describe("_cleveragents/registry/actor/test", () => {
    test("says of a model that can do everything that it is of use for everything", async () => {
      server.say(able);
      const said = await verdicts("good");
      expect(said).toMatchObject({
        name: "local/good",
        model: "test/good",
        plans: true,
        conversations: true,
      });
      expect(new Set(Object.values(said.verdicts))).toEqual(new Set(["ok"]));
    });

    test("says what a small model cannot do, and that it is not for plans", async () => {
      server.say(unable);
      const { plans, conversations, verdicts: said, probes } = await verdicts("small");
      expect({ plans, conversations }).toEqual({ plans: false, conversations: true });
      expect(said).toMatchObject({ model: "lacking", chat: "ok", streaming: "lacking", usage: "lacking" });
      expect(said).toMatchObject({ tool_calls: "failed", json: "lacking", context: "lacking" });
      expect(probes.find(({ probe }) => probe === "tool_calls")?.detail).toBe("it prints calls as text");
    });

    test("says at which question a server failed, and asks nothing more", async () => {
      server.say(() => ({ status: 500 }));
      const { plans, verdicts: said } = await verdicts("good");
      expect(plans).toBe(false);
      expect(said).toMatchObject({ server: "ok", chat: "failed", tool_calls: "skipped", json: "skipped" });
    });

    refusals("_cleveragents/registry/actor/test", world, {
      InvalidParams: {
        "no name": ({ client }) => client.call("_cleveragents/registry/actor/test", {} as never),
        "an actor without a model": ({ client }) =>
          client.call("_cleveragents/registry/actor/test", { name: "scripted" }),
      },
      EntryNotFound: {
        "an actor that is none": {
          reason: "ACTOR_NOT_FOUND",
          attempt: ({ client }) => client.call("_cleveragents/registry/actor/test", { name: "nobody" }),
        },
      },
      Forbidden: {
        "a caller without registry:write": (w) =>
          w
            .as("reader", ["registry:read"])
            .client.call("_cleveragents/registry/actor/test", { name: "good" }),
      },
    });
  });

  describe("_cleveragents/usage/show", () => {
    test("says of nobody that has used nothing that nothing was used", async () => {
      const { client } = world().as("thrifty");
      expect(await client.call("_cleveragents/usage/show", {})).toMatchObject({
        total: { calls: 0, total_tokens: 0 },
        models: [],
        tasks: [],
        total_tasks: 0,
      });
    });

    test("adds up what a session's messages have used, to the server's own count", async () => {
      const { client } = world().as("talker");
      server.say(() => ({ text: "Good day." }));
      const before = { ...server.used };
      const { session_id } = await client.call("session.create", { actor: "local/good" });
      for (const text of ["Hello", "And again"]) {
        const message = {
          messageId: text,
          role: "ROLE_USER" as const,
          contextId: session_id,
          parts: [{ text }],
        };
        const sent = await client.call("SendMessage", { message });
        expect(JSON.stringify(sent)).toContain("Good day.");
      }
      const input = server.used.input - before.input;
      const output = server.used.output - before.output;
      const used = await client.call("_cleveragents/usage/show", { session_id });
      expect(used).toMatchObject({
        total: { calls: 2, input_tokens: input, output_tokens: output, total_tokens: input + output },
        models: [{ model: "test/good", role: "conversation", calls: 2 }],
        unpriced_models: [],
        total_tasks: 2,
      });
      expect(used.total.cost_usd).toBeCloseTo((input * 2 + output * 10) / 1e6, 5);
      expect(await client.call("_cleveragents/usage/show", { model: "test/other" })).toMatchObject({
        models: [],
      });
    });

    const unknown = "01K5ZZZZZZZZZZZZZZZZZZZZZZ";
    refusals("_cleveragents/usage/show", world, {
      InvalidParams: {
        "a plan and a session at once": ({ client }) =>
          client.call("_cleveragents/usage/show", { plan_id: unknown, session_id: unknown }),
      },
      PlanNotFound: {
        "a plan that is none": ({ client }) => client.call("_cleveragents/usage/show", { plan_id: unknown }),
      },
      SessionNotFound: {
        "a session that is none": ({ client }) =>
          client.call("_cleveragents/usage/show", { session_id: unknown }),
      },
      Forbidden: {
        "a caller without task:read": (w) =>
          w.as("writer", ["task:write"]).client.call("_cleveragents/usage/show", {}),
      },
    });
  });
}
