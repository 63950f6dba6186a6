import { type MethodName, type MethodRow, methods } from "@cleveragents/protocol";
import { describe, expect, test } from "vitest";
import type { World } from "../../world/world.ts";
import { answers, LIST, LISTED, requestText } from "./text.ts";

const HEALTH = requestText("_cleveragents/health/check", {});
const HEALTHY = expect.objectContaining({
  id: 1,
  result: expect.objectContaining({ service: "cleveragents" }),
});
const names = Object.keys(methods) as MethodName[];

export function versions(world: () => World): void {
  describe("A2A-Version", () => {
    test.each(["1.0", "1.0.7", " 1.0 "])("%j is A2A 1.0", async (version) => {
      expect(await world().raw(LIST, { "A2A-Version": version })).toEqual(LISTED);
    });

    test.each([[{}], [{ "A2A-Version": "" }], [{ "A2A-Version": "0.3" }], [{ "A2A-Version": "0.3.1" }]])(
      "under %j the methods of 1.0 are not found, and the message names the header to send",
      async (parameters) => {
        for (const name of names.filter((method) => methods[method].family === "a2a")) {
          const answer = await world().raw(requestText(name, {}), parameters as Record<string, string>);
          expect(answer, name).toEqual(answers(1, "MethodNotFound"));
          expect(answer).toMatchObject({ error: { message: expect.stringContaining("A2A-Version: 1.0") } });
        }
      },
    );

    test.each([[{}], [{ "A2A-Version": "0.3" }], [{ "A2A-Version": "1.0" }]])(
      "the platform's own methods are served under %j",
      async (parameters) => {
        expect(await world().raw(HEALTH, parameters as Record<string, string>)).toEqual(HEALTHY);
        expect(
          await world().raw(requestText("session.create", {}), parameters as Record<string, string>),
        ).toMatchObject({ result: { status: "created" } });
      },
    );

    test("one that we do not speak is VersionNotSupported on every method, known or not", async () => {
      for (const method of [...names, "message/send", "Nope"]) {
        expect(await world().raw(requestText(method, {}), { "A2A-Version": "9.9" }), method).toEqual(
          answers(1, "VersionNotSupported"),
        );
      }
    });

    test.each(["1", "1.1", "0.2", "0.30", "10.0", "2.0", "one", "1.0.0.0", "v1.0", "1.0, 0.3"])(
      "%j is VersionNotSupported, and what is supported is said",
      async (version) => {
        const answer = await world().raw(LIST, { "A2A-Version": version });
        expect(answer).toEqual(answers(1, "VersionNotSupported"));
        expect(answer).toMatchObject({ error: { data: [{ metadata: { supported: "1.0, 0.3" } }] } });
      },
    );

    test("the name of the parameter is written in any case", async () => {
      expect(await world().raw(LIST, { "a2a-VERSION": "1.0" })).toEqual(LISTED);
    });

    test("a method of nobody's is MethodNotFound whatever the version", async () => {
      for (const version of ["1.0", "0.3"]) {
        expect(await world().raw(requestText("tasks/fly", {}), { "A2A-Version": version })).toEqual(
          answers(1, "MethodNotFound"),
        );
      }
    });

    test("older names of a method reach the same one", async () => {
      const aliases = names.flatMap((name) => (methods[name] as MethodRow).aliases ?? []);
      expect(aliases).not.toEqual([]);
      for (const alias of aliases) {
        const answer = (await world().raw(requestText(alias, { page_size: 0, plan_id: 0 }))) as {
          error?: { code: number };
        };
        expect(answer.error?.code, alias).not.toBe(-32601);
      }
    });
  });
}
