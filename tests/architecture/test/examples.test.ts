import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { root } from "./cruise.ts";

// Each is carried out by the command line in tests/e2e/test/examples.soak.ts, or by a test of what it shows.
test("every example is in their list", () => {
  const examples = path.join(root, "examples");
  const list = readFileSync(path.join(examples, "README.md"), "utf8");
  const missing = readdirSync(examples).filter(
    (name) => name.endsWith(".yaml") && !list.includes(`\`${name}\``),
  );
  expect(missing).toEqual([]);
});
