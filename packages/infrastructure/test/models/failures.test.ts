import { ModelError } from "@cleveragents/application";
import { ModelServer, type ScriptedAnswer } from "@cleveragents/testing/model-server";
import { describe, expect, test } from "vitest";
import { options, Place, providerYaml, QUESTION } from "./fixtures.ts";

const KEY = "sk-very-secret-0123456789";
const QUICK = "    timeouts: { first_byte: 0.2, between_bytes: 0.2, total: 20 }\n";

describe.each(["openai", "anthropic"] as const)("a model spoken to as %s", (kind) => {
  async function attempt(answers: readonly ScriptedAnswer[], more = "    retries: 2\n", key = KEY) {
    await using server = await ModelServer.start(answers, { key: KEY });
    const url = kind === "openai" ? server.openAiUrl : server.origin;
    await using place = await Place.open(providerYaml(kind, url, `    key_env: THE_KEY\n${more}`), {
      THE_KEY: key,
    });
    const told = options();
    const result = await place.models.complete("test/model", QUESTION, told).catch((error: unknown) => error);
    return { result, pieces: told.pieces, pauses: place.pauses, asked: server.requests.length };
  }

  async function refusal(...args: Parameters<typeof attempt>) {
    const { result, ...rest } = await attempt(...args);
    expect(result).toBeInstanceOf(ModelError);
    expect(String((result as Error).stack)).not.toContain(KEY);
    return { error: result as ModelError, ...rest };
  }

  test.each([429, 529])(
    "that says %i and how long to wait is asked again after that, and a little more",
    async (status) => {
      const { result, pauses } = await attempt([{ status, retryAfter: "7" }, { text: "Yes." }]);
      expect(result).toMatchObject({ tries: 2, answer: { text: "Yes." } });
      expect(pauses).toContain(7500);
    },
  );

  test("that says 429 and nothing else is asked again after longer and longer pauses, and then no more", async () => {
    const { error, pauses, asked } = await refusal([
      { status: 429 },
      { status: 429 },
      { status: 429 },
      { text: "no" },
    ]);
    expect(error.reason).toBe("MODEL_RATE_LIMITED");
    expect(pauses).toEqual([750, 1500]);
    expect(asked).toBe(3);
  });

  test("that wants to be left alone for an hour is not waited for", async () => {
    const { error, asked, pauses } = await refusal([{ status: 429, retryAfter: "3600" }]);
    expect(error).toMatchObject({ reason: "MODEL_RATE_LIMITED", retryAfterMs: 3_600_000 });
    expect([asked, pauses]).toEqual([1, []]);
  });

  test.each([500, 502, 503, 529])("that fails with %i is unavailable, after some tries", async (status) => {
    const { error, asked } = await refusal([{ status }, { status }, { status }]);
    expect([error.reason, asked]).toEqual(["MODEL_UNAVAILABLE", 3]);
  });

  test("that refuses the key is not asked again, and the key is not told", async () => {
    const { error, asked } = await refusal([], "", "sk-another-key-9876543210");
    expect([error.reason, asked]).toEqual(["MODEL_AUTH", 0]);
    expect(error.message).not.toContain("another");
  });

  test("whose error quotes the key has it taken out", async () => {
    const { error } = await refusal([
      { status: 400, error: { error: { message: `bad thing with ${KEY} in it` } } },
    ]);
    expect(error).toMatchObject({ reason: "MODEL_BAD_REQUEST" });
    expect(error.message).toContain("bad thing with [key] in it");
  });

  test("says when a request is too long for it", async () => {
    const message =
      kind === "openai" ? "This model's maximum context length is 8192 tokens" : "prompt is too long: 9 > 8";
    const { error } = await refusal([{ status: 400, error: { error: { message } } }]);
    expect(error.reason).toBe("MODEL_CONTEXT_TOO_LONG");
  });

  test("that is cut off before its first word is asked again", async () => {
    const { result } = await attempt([{ text: "Yes.", cutAfter: 0 }, { text: "Yes." }]);
    expect(result).toMatchObject({ tries: 2, answer: { text: "Yes." } });
  });

  test("that is cut off after its first words is not asked again", async () => {
    await using server = await ModelServer.start([
      { text: "Yes, this is a long text.", hangAfter: 6 },
      { text: "no" },
    ]);
    const url = kind === "openai" ? server.openAiUrl : server.origin;
    await using place = await Place.open(providerYaml(kind, url));
    const told = options();
    const asked = place.models.complete("test/model", QUESTION, told).catch((error: unknown) => error);
    await expect.poll(() => told.pieces.length).toBeGreaterThan(0);
    server.cut();
    expect(await asked).toMatchObject({ reason: "MODEL_UNAVAILABLE", begun: true });
    expect(server.requests).toHaveLength(1);
  });

  test("whose stream ends without an end is not taken for complete", async () => {
    const { error } = await refusal([{ text: "Yes, this is a long text.", cutAfter: 4 }], "    retries: 0\n");
    expect(error.reason).toBe("MODEL_UNAVAILABLE");
  });

  test("that sends broken JSON has sent a bad response", async () => {
    const { error } = await refusal([{ text: "Yes.", truncateAt: 2 }]);
    expect(error.reason).toBe("MODEL_BAD_RESPONSE");
  });

  test.each([
    ["nothing at all", { delay: "never" } as const],
    ["nothing more in the middle", { text: "Yes, this is a long text.", hangAfter: 4 }],
  ])("that says %s runs out of its time", async (_, answer) => {
    const { error } = await refusal([answer], `${QUICK}    retries: 0\n`);
    expect(error).toMatchObject({ reason: "MODEL_TIMEOUT" });
  });

  test("that is no longer wanted is let go with the caller's own reason", async () => {
    await using server = await ModelServer.start([{ delay: "never" }]);
    const url = kind === "openai" ? server.openAiUrl : server.origin;
    await using place = await Place.open(providerYaml(kind, url));
    const stop = new AbortController();
    const asked = place.models.complete("test/model", QUESTION, options(stop.signal));
    await expect.poll(() => server.load.now).toBe(1);
    stop.abort(new Error("cancelled"));
    await expect(asked).rejects.toThrow("cancelled");
    await expect.poll(() => server.load.now).toBe(0);
  });

  test("that is not there cannot be reached, and no address is told", async () => {
    await using place = await Place.open(providerYaml(kind, "http://127.0.0.1:1", "    retries: 0\n"));
    const asked = place.models.complete("test/model", QUESTION, options());
    await expect(asked).rejects.toMatchObject({
      reason: "MODEL_UNAVAILABLE",
      message: expect.not.stringContaining("127.0.0.1"),
    });
  });
});

test("an error in the middle of a stream is the error that it names", async () => {
  await using server = await ModelServer.start([]);
  await using place = await Place.open(providerYaml("openai", server.openAiUrl, "    retries: 0\n"));
  server.say([
    { whole: true, status: 200, error: { error: { type: "rate_limit_error", message: "slow down" } } },
  ]);
  await expect(place.models.complete("test/model", QUESTION, options())).rejects.toMatchObject({
    reason: "MODEL_RATE_LIMITED",
  });
});

test("never more requests run at a time than a provider takes, whoever makes them", async () => {
  await using server = await ModelServer.start(() => ({ text: "Yes.", delay: 20 }));
  await using place = await Place.open(providerYaml("openai", server.openAiUrl, "    max_concurrent: 2\n"));
  await Promise.all(
    Array.from({ length: 8 }, () => place.models.complete("test/model", QUESTION, options())),
  );
  expect(server.requests).toHaveLength(8);
  expect(server.load.most).toBe(2);
});

test("who stands in line for a provider can leave it", async () => {
  await using server = await ModelServer.start([{ delay: "never" }]);
  await using place = await Place.open(providerYaml("openai", server.openAiUrl, "    max_concurrent: 1\n"));
  const [first, second] = [new AbortController(), new AbortController()];
  const running = place.models.complete("test/model", QUESTION, options(first.signal));
  await expect.poll(() => server.load.now).toBe(1);
  const waiting = place.models.complete("test/model", QUESTION, options(second.signal));
  second.abort(new Error("left"));
  await expect(waiting).rejects.toThrow("left");
  first.abort(new Error("over"));
  await expect(running).rejects.toThrow("over");
  expect(server.requests).toHaveLength(1);
});
