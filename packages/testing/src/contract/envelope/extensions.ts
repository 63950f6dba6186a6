import { APPROVAL_EXTENSION, PLATFORM_EXTENSION, RESUME_EXTENSION } from "@cleveragents/protocol";
import { describe, expect, test } from "vitest";
import { stranger, use, type World } from "../../world/world.ts";
import { answers, LIST, LISTED, requestText } from "./text.ts";

const asking = (...uris: string[]) => ({ "A2A-Version": "1.0", "A2A-Extensions": uris.join(", ") });
const HEALTH = requestText("_cleveragents/health/check", {});

export function extensions(world: () => World): void {
  describe("A2A-Extensions", () => {
    test("what was activated is said, once and in the order asked; the unknown is ignored", async () => {
      const asked = asking(
        RESUME_EXTENSION,
        "https://example.com/theirs/v1",
        APPROVAL_EXTENSION,
        RESUME_EXTENSION,
      );
      const { answer, parameters } = await world().exchange(LIST, asked);
      expect(answer).toEqual(LISTED);
      expect(parameters["a2a-extensions"]).toBe(`${RESUME_EXTENSION},${APPROVAL_EXTENSION}`);
    });

    test("nothing is said where nothing was activated", async () => {
      expect((await world().exchange(LIST)).parameters).toEqual({});
      expect((await world().exchange(LIST, asking("https://example.com/theirs/v1"))).parameters).toEqual({});
    });

    test("a stream says it before its first element", async () => {
      const { plan_id: id } = await use(world(), "idle");
      const { answer, parameters } = await world().exchange(
        requestText("SubscribeToTask", { id }),
        asking(RESUME_EXTENSION),
      );
      expect(answer).toMatchObject({ id: 1, result: { task: { id } } });
      expect(parameters["a2a-extensions"]).toBe(RESUME_EXTENSION);
    });

    test("calling a method of the platform activates its extension", async () => {
      expect((await world().exchange(HEALTH)).parameters["a2a-extensions"]).toBe(PLATFORM_EXTENSION);
    });

    test("a call of the platform's that names only other versions of it is ExtensionVersionMismatch", async () => {
      const other = "urn:cleveragents:extensions:v2";
      const answer = await world().raw(HEALTH, asking(other));
      expect(answer).toEqual(answers(1, "ExtensionVersionMismatch"));
      expect(answer).toMatchObject({ error: { data: { supported: PLATFORM_EXTENSION, requested: other } } });
    });

    test("naming ours beside another version, or another version on a standard method, is fine", async () => {
      expect(
        await world().raw(HEALTH, asking("urn:cleveragents:extensions:v2", PLATFORM_EXTENSION)),
      ).toMatchObject({ result: {} });
      expect(await world().raw(LIST, asking("urn:cleveragents:extensions:v2"))).toEqual(LISTED);
    });

    test("without the resume extension Last-Event-ID changes nothing", async () => {
      const caller = stranger(world());
      const { plan_id: id } = await use(caller, "idle");
      const parameters = { "A2A-Version": "1.0", "Last-Event-ID": "not a cursor" };
      expect(await caller.raw(requestText("SubscribeToTask", { id }), parameters)).toMatchObject({
        result: { task: { id } },
      });
    });
  });
}
