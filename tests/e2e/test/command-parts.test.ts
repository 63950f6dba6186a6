import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import { expect, test } from "vitest";
import { AGENTS, Place } from "./support.ts";

test("every part of the built command that is loaded when it is needed can be loaded", {
  timeout: 60_000,
}, async () => {
  await using place = new Place();
  const folder = join(dirname(AGENTS), "../dist/chunks");
  const parts = partsOf(folder);
  expect(parts.length).toBeGreaterThan(100);
  const script = `for (const part of ${JSON.stringify(parts)})
    await import("${pathToFileURL(folder)}/" + part).catch((error) => console.log(part, String(error)));
  process.exit(0);`;
  expect(await place.run(process.execPath, ["--input-type=module", "-e", script])).toEqual({
    code: 0,
    stdout: "",
    stderr: "",
  });
});

/** Those that the program leads to: a folder that was built into before has others, too. */
function partsOf(folder: string): string[] {
  const found = new Set<string>();
  const visit = (text: string) => {
    for (const [, name = ""] of text.matchAll(/["'`]\.\/(?:chunks\/)?([\w.-]+\.mjs)["'`]/g)) {
      if (found.has(name)) continue;
      found.add(name);
      visit(readFileSync(join(folder, name), "utf8"));
    }
  };
  visit(readFileSync(join(folder, "../main.mjs"), "utf8"));
  return [...found];
}
