import type { ScriptedAnswer } from "@cleveragents/testing/model-server";
import { describe, expect, test } from "vitest";
import { atRest, openThinking, type ThinkingOptions } from "./llm-server.ts";

/** A session whose messages the model answers. */
async function openTalk(
  answers: Parameters<typeof openThinking>[0],
  kind: "openai" | "anthropic" = "openai",
  options: ThinkingOptions & { readonly session?: object } = {},
) {
  const server = await openThinking(answers, { kind, ...options });
  const { session_id } = await server.client.call("session.create", {
    actor: "local/coder",
    ...options.session,
  });
  let said = 0;
  return Object.assign(server, {
    session_id,
    async tell(text: string, ...more: Record<string, unknown>[]) {
      const messageId = `message-${++said}`;
      const message = {
        messageId,
        role: "ROLE_USER" as const,
        contextId: session_id,
        parts: [{ text }, ...more],
      };
      const { task } = (await server.client.call("SendMessage", { message })) as {
        task: { status: { state: string; message: { parts: { text: string }[] } }; artifacts: unknown[] };
      };
      return {
        state: task.status.state,
        text: task.status.message.parts[0]?.text,
        artifacts: task.artifacts,
      };
    },
    messages: (n: number) =>
      server.models.requests[n - 1]?.body["messages"] as { role: string; content: unknown }[],
  });
}

describe.each(["openai", "anthropic"] as const)("a session with a model, spoken to as %s does,", (kind) => {
  test("answers, streams what it says, and knows what was said before", async () => {
    await using talk = await openTalk([{ text: "Good day to you." }, { text: "I said good day." }], kind);
    const first = await talk.tell("Hello");
    expect(first).toMatchObject({ state: "TASK_STATE_COMPLETED", text: "Good day to you." });
    expect(JSON.stringify(first.artifacts)).toContain('"artifactId":"answer"');
    await talk.tell("What did you say?");
    const roles = talk.messages(2).map(({ role }) => role);
    expect(roles.filter((role) => role !== "system")).toEqual(["user", "assistant", "user"]);
    expect(JSON.stringify(talk.messages(2))).toContain("Good day to you.");
  });
});

describe("a session with a model", () => {
  test("starts a plan when its model wants one, and can neither apply nor approve it", async () => {
    const start: ScriptedAnswer = {
      text: "I start it.",
      calls: [{ name: "start_plan", arguments: { action: "local/greet", project: "demo" } }],
    };
    await using talk = await openTalk([start, { text: "It works on it now." }]);
    const document =
      "name: greet\ndescription: Writes a greeting\ndefinition_of_done: x\nautomation_profile: trusted\nscript: { steps: [{ write: { path: hi, content: hi } }] }\n";
    await talk.client.call("_cleveragents/registry/action/add", { document });
    expect(await talk.tell("Greet them")).toMatchObject({ text: "I start it.\n\nIt works on it now." });
    const offered = talk.models.requests[0]?.body["tools"] as {
      function: { name: string; description: string };
    }[];
    expect(offered.map((tool) => tool.function.name).sort()).toEqual([
      "cancel_plan",
      "guide_plan",
      "list_plans",
      "show_plan",
      "start_plan",
    ]);
    expect(offered[0]?.function.description).toContain("local/greet(): Writes a greeting");
    const { plans } = await talk.client.call("_cleveragents/plan/list", {});
    expect(plans).toHaveLength(1);
    expect(await atRest(talk.client, plans[0]!.plan_id)).toMatchObject({ context_id: talk.session_id });
    expect(JSON.stringify(talk.messages(2))).toContain(plans[0]!.plan_id);
  });

  test("tells its model why a call of it was refused", async () => {
    const wrong: ScriptedAnswer = { calls: [{ name: "start_plan", arguments: { action: "local/nothing" } }] };
    const broken: ScriptedAnswer = { calls: [{ name: "start_plan", arguments: '{"action": ' }] };
    await using talk = await openTalk([wrong, broken, { text: "There is no such thing." }]);
    expect(await talk.tell("Do it")).toMatchObject({ text: "There is no such thing." });
    expect(JSON.stringify(talk.messages(2))).toContain("no action local/nothing");
    expect(JSON.stringify(talk.messages(3))).toContain("not a JSON object");
  });

  test("says when its model does not answer, in words without the server's address", async () => {
    await using talk = await openTalk([{ status: 503 }, { text: "Here I am again." }]);
    const failed = await talk.tell("Hello");
    expect(failed).toMatchObject({
      state: "TASK_STATE_FAILED",
      text: expect.stringContaining("has failed (503)"),
    });
    expect(failed.text).not.toContain("127.0.0.1");
    expect(await talk.tell("And now?")).toMatchObject({ text: "Here I am again." });
  });

  test("shows its model texts that are attached, and says of others that they are there", async () => {
    await using talk = await openTalk([{ text: "I see." }]);
    await talk.tell(
      "Look",
      { raw: Buffer.from("größe = 3").toString("base64"), mediaType: "text/plain", filename: "a.txt" },
      { raw: "AAEC", mediaType: "image/png", filename: "b.png" },
    );
    const told = JSON.stringify(talk.messages(1));
    expect(told).toContain("größe = 3");
    expect(told).toContain("b.png (image/png), which you cannot read");
  });

  const PRICES = "    models: { model: { output: 400, prices: { input: 3, output: 15 } } }\n";
  const account = async ({ machine, session_id }: Awaited<ReturnType<typeof openTalk>>) =>
    (await machine.adapters.store.shared(`session:${session_id}`))?.body["used"];

  test("charges the session's budget with what its messages use, beside its plans, and asks no more when it is used up", async () => {
    const start: ScriptedAnswer = {
      calls: [{ name: "start_plan", arguments: { action: "local/think", project: "demo" } }],
    };
    const done: ScriptedAnswer = {
      calls: [{ name: "submit_strategy", arguments: { decisions: [], steps: [] } }],
    };
    const answers = ({ body }: { readonly body: Record<string, unknown> }): ScriptedAnswer => {
      const told = JSON.stringify(body);
      if (told.includes("submit_strategy")) return done;
      if (told.includes("start_plan") && !told.includes("planId")) return start;
      return { text: "It is so." };
    };
    const session = { budget: { tokens: 12_000 } };
    await using talk = await openTalk(answers, "openai", { provider: PRICES, session });
    const document =
      "name: think\ndescription: x\ndefinition_of_done: x\nautomation_profile: trusted\nexecution_actor: local/coder\n";
    await talk.client.call("_cleveragents/registry/action/add", { document });
    expect(await talk.tell("Think")).toMatchObject({ state: "TASK_STATE_COMPLETED" });
    const { plans } = await talk.client.call("_cleveragents/plan/list", {});
    await atRest(talk.client, plans[0]!.plan_id);
    const { input, output } = talk.models.used;
    expect(await account(talk)).toMatchObject({ tokens: input + output });
    expect(((await account(talk)) as { cost_usd: number }).cost_usd).toBeCloseTo(
      (input * 3 + output * 15) / 1e6,
      4,
    );

    let last = await talk.tell("And?");
    for (let n = 0; n < 20 && last.state === "TASK_STATE_COMPLETED"; n++) last = await talk.tell("And?");
    expect(last).toMatchObject({
      state: "TASK_STATE_FAILED",
      text: expect.stringContaining("used up (tokens"),
    });
    const asked = talk.models.requests.length;
    expect(talk.models.used.input + talk.models.used.output).toBeLessThanOrEqual(12_000);
    expect(await account(talk)).toMatchObject({ tokens: talk.models.used.input + talk.models.used.output });
    await talk.tell("And now?");
    expect(talk.models.requests).toHaveLength(asked);
  });

  test("that was cut off while its model spoke is charged once for what is asked again", async () => {
    const session = { budget: { tokens: 100_000 } };
    await using talk = await openTalk(
      [{ text: "I begin to", hangAfter: 1 }, { text: "All of it." }],
      "openai",
      {
        session,
      },
    );
    const told = talk.tell("Say it").catch(() => undefined);
    await expect.poll(() => talk.models.requests.length).toBe(1);
    await talk.killAndStart();
    await expect.poll(() => talk.models.requests.length, { timeout: 30_000 }).toBe(2);
    await told;
    const { input, output } = talk.models.used;
    await expect.poll(() => account(talk)).toMatchObject({ tokens: input + output });
  });

  test("whose actor is compact is told the short prompt, and of fewer actions in fewer words", async () => {
    await using talk = await openTalk([{ text: "Yes." }], "openai", { actor: "compact: true\n" });
    for (let n = 0; n < 12; n++)
      await talk.client.call("_cleveragents/registry/action/add", {
        document: `name: a${n}\ndescription: Does this. At length.\ndefinition_of_done: x\nscript: { steps: [] }\n`,
      });
    await talk.tell("Hello");
    const told = JSON.stringify(talk.models.requests[0]?.body);
    expect(told).toContain("Be brief. Work is done by plans");
    expect(told).toContain("Does this.");
    expect(told).not.toContain("At length.");
    expect(told.match(/local\/a\d+\(/g)).toHaveLength(10);
  });

  test("keeps its actor from being removed as long as it is open, unless that is forced", async () => {
    await using talk = await openTalk([]);
    const remove = (force: boolean) =>
      talk.client.call("_cleveragents/registry/actor/remove", {
        name: "local/coder",
        ...(force ? { force } : {}),
      });
    await expect(remove(false)).rejects.toThrow("used by 1 open session");
    await remove(true);
    await expect(remove(true)).rejects.toThrow("No actor local/coder");
  });
});
