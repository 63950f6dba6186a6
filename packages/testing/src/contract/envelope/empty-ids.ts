import { type MethodName, type MethodRow, methods } from "@cleveragents/protocol";
import { describe, expect, test } from "vitest";
import type { World } from "../../world/world.ts";
import { answers, requestText } from "./text.ts";

/** Methods that need this id, and are found in the table by it. */
function needing(field: string): MethodName[] {
  return (Object.keys(methods) as MethodName[]).filter((name) => {
    const row: MethodRow = methods[name];
    const verdict = row.params.safeParse({});
    return verdict.error?.issues.some(({ path }) => path.length === 1 && path[0] === field) === true;
  });
}

export function emptyIds(world: () => World): void {
  describe.each(["plan_id", "session_id", "key_id", "id", "taskId"])("an empty %s", (field) => {
    const names = needing(field);
    test.runIf(names.length > 0)(
      "is InvalidParams that names it, for every method that needs one",
      async () => {
        for (const name of names) {
          const answer = await world().raw(requestText(name, { [field]: "" }));
          expect(answer, name).toEqual(answers(1, "InvalidParams"));
          expect(JSON.stringify(answer), name).toContain(`"field":"${field}"`);
        }
      },
    );
  });

  test("plans are named by plan_id in all their methods but those that make and list them", () => {
    const plans = (Object.keys(methods) as MethodName[]).filter((name) => /_cleveragents\/plan\//.test(name));
    const others = plans.filter((name) => !needing("plan_id").includes(name));
    expect(others.sort()).toEqual([
      "_cleveragents/plan/create",
      "_cleveragents/plan/list",
      "_cleveragents/plan/use",
    ]);
  });
}
