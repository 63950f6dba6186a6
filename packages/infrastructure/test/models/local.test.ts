import { totalTokens } from "@cleveragents/domain";
import { describe, expect, test } from "vitest";
import { options, Place, providerYaml } from "./fixtures.ts";

const url = process.env["TEST_MODEL_URL"];
const model = process.env["TEST_MODEL_NAME"];

describe.skipIf(url === undefined || model === undefined)(
  "a model of this machine (skipped unless TEST_MODEL_URL and TEST_MODEL_NAME name one)",
  () => {
    test("answers in pieces, and says what it used", { timeout: 600_000 }, async () => {
      await using place = await Place.open(
        providerYaml("openai", url!, "    timeouts: { first_byte: 500 }\n"),
      );
      const told = options();
      const request = {
        messages: [{ role: "user", text: "Count from one to five." } as const],
        maxTokens: 200,
      };
      const done = await place.models.complete(`test/${model}`, request, told);
      expect(done.answer.text).not.toBe("");
      expect(told.pieces.length).toBeGreaterThan(0);
      expect(totalTokens(done.usage)).toBeGreaterThan(0);
    });
  },
);
