import { describe, expect, test } from "vitest";
import { atRest } from "../../world/index.ts";
import type { PreparedPlans } from "./fixtures.ts";

/** What plans that start plans do with files as they are; how they are carried out is the product's own test. */
export function planSubplans({ world }: PreparedPlans): void {
  const run = async (name: string, strategy: string, edits: readonly string[], more = "") => {
    const { client } = world();
    const one = (at: number, command: string) =>
      `          - { id: part_${at + 1}, action: run, arguments: { command: ${JSON.stringify(command)} }${more === "" ? "" : `, ${more}`} }`;
    const document = `
name: ${name}
description: Has its parts done by others
definition_of_done: all of them are
script:
  steps:
    - run: { command: "seq 1 20 > numbers.txt" }
    - subplan:
        mode: parallel
        merge_strategy: ${strategy}
        plans:
${edits.map((command, at) => one(at, command)).join("\n")}
`;
    await client.call("_cleveragents/registry/action/add", { document });
    const { plan_id } = await client.call("_cleveragents/plan/use", {
      action_name: name,
      project: "demo",
      automation_profile: "trusted",
    });
    return { client, plan_id, rested: await atRest(client, plan_id) };
  };

  describe("subplans", () => {
    test("of a file that several of them change each change is kept, where they are apart", async () => {
      const { client, plan_id, rested } = await run("apart", "git_three_way", [
        "sed -i s/^2$/two/ numbers.txt",
        "sed -i s/^19$/nineteen/ numbers.txt; chmod +x numbers.txt",
      ]);
      expect(rested).toMatchObject({
        waiting_for: { kind: "apply" },
        execution: { child_plans: "2/2 complete" },
      });
      const { patch } = await client.call("_cleveragents/plan/diff", { plan_id });
      expect(patch).toContain("+two\n");
      expect(patch).toContain("+nineteen\n");
      expect(patch).toContain("new file mode 100755");
      await client.call("_cleveragents/plan/cancel", { plan_id });
    });

    test("one with a view sees a part of the plan's copy, and what it does not see stays", async () => {
      const { client, plan_id, rested } = await run(
        "viewed",
        "git_three_way",
        ["find . -type f -not -path './.git*' | sort > seen.txt"],
        "view: { include: [docs, numbers.txt], exclude: [docs/old-name.md] }",
      );
      expect(rested).toMatchObject({ waiting_for: { kind: "apply" } });
      const child = rested.children?.[0]?.plan_id ?? "";
      const { execution } = await client.call("_cleveragents/plan/status", { plan_id: child });
      expect(execution.warnings).toEqual([expect.stringMatching(/^it sees \d of \d+ files/)]);
      const { patch, files } = await client.call("_cleveragents/plan/diff", { plan_id });
      expect(files.map(({ path }) => path)).toEqual(["numbers.txt", "seen.txt"]);
      expect(patch).toContain("+./numbers.txt\n");
      expect(patch).not.toMatch(/^\+\.\/(docs\/old-name|README|src)/m);
      await client.call("_cleveragents/plan/cancel", { plan_id });
    });

    test("what does not go together is shown with conflict marks, and resolved before anything is applied", async () => {
      const { client, plan_id, rested } = await run("together", "git_three_way", [
        "sed -i s/^2$/two/ numbers.txt",
        "sed -i s/^2$/zwei/ numbers.txt",
      ]);
      expect(rested).toMatchObject({
        waiting_for: {
          kind: "conflict",
          details: { subplan: "part_2", files: [{ path: "numbers.txt" }] },
        },
      });
      const task = await client.call("GetTask", { id: plan_id });
      const shown = task.artifacts?.find(({ artifactId }) => artifactId === "conflict-part_2");
      expect(shown?.parts[0]?.text).toMatch(/\+<<<<<<< plan\n.*two\n.*=======\n.*zwei\n\+>>>>>>> subplan/s);
      await expect(client.call("_cleveragents/plan/apply", { plan_id })).rejects.toMatchObject({
        reason: "INVALID_STATE",
      });
      await client.call("_cleveragents/plan/approve", { plan_id, option: "theirs" });
      await atRest(client, plan_id);
      const { patch } = await client.call("_cleveragents/plan/diff", { plan_id });
      expect(patch).toContain("+zwei\n");
      expect(patch).not.toContain("<<<<<<<");
      await client.call("_cleveragents/plan/cancel", { plan_id });
    });
  });
}
