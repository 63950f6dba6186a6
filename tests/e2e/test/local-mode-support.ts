import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import type { Place } from "./support.ts";

/** A plan of these steps, not executed, on a project with one file; its id. */
export async function withPlan(place: Place, steps: string): Promise<string> {
  const project = join(place.dir, "project");
  mkdirSync(project);
  writeFileSync(join(project, "a.txt"), "a\n");
  writeFileSync(
    join(place.dir, "action.yaml"),
    `name: it\ndescription: d\ndefinition_of_done: d\nscript:\n  steps:\n${steps}`,
  );
  for (const args of [
    ["project", "create", "p", "--path", project],
    ["action", "add", "action.yaml"],
  ]) {
    const ran = await place.agents(args);
    expect(ran, ran.stderr).toMatchObject({ code: 0 });
  }
  const used = await place.agents(["plan", "use", "it", "-o", "json"]);
  return (JSON.parse(used.stdout) as { plan_id: string }).plan_id;
}
