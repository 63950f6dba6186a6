import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { ModelServer } from "@cleveragents/testing/model-server";
import { describe, expect, test } from "vitest";
import { options, Place, providerYaml, QUESTION } from "./fixtures.ts";

describe("providers of models", () => {
  test("are there without a file, and a model's name is split at its first slash", async () => {
    await using place = await Place.open();
    await expect(place.models.find("openrouter/meta/llama-3.3:free")).resolves.toMatchObject({
      model: "meta/llama-3.3:free",
      provider: { name: "openrouter", baseUrl: "https://openrouter.ai/api/v1" },
    });
    await expect(place.models.find("nobody/x")).rejects.toMatchObject({ reason: "MODEL_UNKNOWN" });
    await expect(place.models.find("gpt-4o")).rejects.toThrow("write provider/model");
  });

  test("are what the file says, as soon as it says so", async () => {
    await using place = await Place.open("providers:\n  openai: { max_concurrent: 1 }\n");
    const first = (await place.models.find("openai/gpt-4o")).provider;
    expect(first).toMatchObject({
      maxConcurrent: 1,
      baseUrl: "https://api.openai.com/v1",
      keyEnv: "OPENAI_API_KEY",
    });
    await place.write(
      "providers.yaml",
      "providers:\n  openai: { max_concurrent: 17, key_file: other.key }\n",
    );
    const second = (await place.models.find("openai/gpt-4o")).provider;
    expect(second).toMatchObject({ maxConcurrent: 17, keyFile: "other.key" });
    expect(second).not.toHaveProperty("keyEnv");
  });

  test.each([
    [
      "providers:\n  mine:\n    kind: openai\n    base_uri: http://x\n",
      /providers\.yaml:4: .*base_uri.*base_url/s,
    ],
    ["providers:\n  mine: { kind: openai }\n", /needs `base_url`/],
    ["providers:\n  mine: { kind: openai, base_url: 'http://me:secret@x/v1' }\n", /without a user/],
    ["providers: [\n", /providers\.yaml/],
  ])("are refused where the file is wrong: %j", async (yaml, message) => {
    await using place = await Place.open(yaml);
    const asked = place.models.find("openai/gpt-4o");
    await expect(asked).rejects.toMatchObject({ reason: "MODEL_NOT_CONFIGURED" });
    await expect(asked).rejects.toThrow(message);
    await expect(asked).rejects.not.toThrow("secret@");
  });

  test("have their key from a file that only its owner can read", async () => {
    await using server = await ModelServer.start([{ text: "Yes." }], { key: "the-key" });
    await using place = await Place.open(providerYaml("openai", server.openAiUrl, "    key_file: my.key\n"));
    await place.write("my.key", "the-key\n", 0o644);
    await expect(place.models.complete("test/model", QUESTION, options())).rejects.toThrow(
      "can be read by others (mode 644; chmod 600)",
    );
    await place.write("my2.key", "the-key\n");
    await place.write("providers.yaml", providerYaml("openai", server.openAiUrl, "    key_file: my2.key\n"));
    await expect(place.models.complete("test/model", QUESTION, options())).resolves.toMatchObject({
      tries: 1,
    });
  });
});

describe("a cassette", () => {
  test("is written without keys, and answers the same requests alike", async () => {
    await using server = await ModelServer.start(
      [{ text: "First." }, { calls: [{ name: "read_file", arguments: {} }] }],
      {
        key: "sk-secret-key",
      },
    );
    const more = "    key_env: K\n    cassette: tape.jsonl\n";
    await using place = await Place.open(providerYaml("openai", server.openAiUrl, more), {
      K: "sk-secret-key",
    });
    const other = { ...QUESTION, messages: [{ role: "user", text: "And else?" } as const] };
    const first = await place.models.complete("test/model", QUESTION, options());
    const second = await place.models.complete("test/model", other, options());
    const tape = await readFile(join(place.folder, "tape.jsonl"), "utf8");
    expect(tape.trim().split("\n")).toHaveLength(2);
    expect(tape).not.toContain("sk-secret-key");

    await place.write("providers.yaml", "providers:\n  test: { kind: replay, cassette: tape.jsonl }\n");
    const told = options();
    expect(await place.models.complete("test/model", other, options())).toEqual(second);
    expect(await place.models.complete("test/model", QUESTION, told)).toEqual(first);
    expect(told.pieces).toEqual([{ kind: "text", text: "First." }]);
    expect(server.requests).toHaveLength(2);
  });

  test("answers nothing else, and says what is different", async () => {
    await using server = await ModelServer.start([{ text: "First." }]);
    await using place = await Place.open(
      providerYaml("openai", server.openAiUrl, "    cassette: tape.jsonl\n"),
    );
    await place.models.complete("test/model", QUESTION, options());
    await place.write("providers.yaml", "providers:\n  test: { kind: replay, cassette: tape.jsonl }\n");
    const other = { ...QUESTION, messages: [{ role: "user", text: "What was there?" } as const] };
    await expect(place.models.complete("test/model", other, options())).rejects.toMatchObject({
      reason: "MODEL_BAD_REQUEST",
      message: expect.stringContaining(
        'request.messages.0.text: recorded "What is there?", asked "What was there?"',
      ),
    });
  });
});
