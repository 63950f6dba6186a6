import { expect, test } from "vitest";
import { PLAIN } from "../output/paint.ts";
import { stepLine } from "./step-line.ts";

const long =
  "for i in 1 2 3 4 5 6 7 8 9; do\n  echo tick $i; sleep 1; done; echo done > a-file-with-a-long-name.txt";

test("what a step did stands alone where it says what it was to do, also of a command that is cut off there", () => {
  const line = (label: string, detail: string) =>
    stepLine({ index: 1, label, status: "done", detail }, PLAIN);
  expect(line("run npm test", "ran `npm test` (exit code 0)")).toBe("✓ 2 ran `npm test` (exit code 0)");
  const cut = `ran \`${long.replaceAll(/\s+/g, " ").slice(0, 80)}…\` (exit code 0)`;
  expect(line(`run ${long}`, cut)).toBe(`✓ 2 ${cut}`);
  expect(line("run make all", "ran `make test…` (exit code 0)")).toBe(
    "✓ 2 run make all (ran `make test…` (exit code 0))",
  );
});

test("a step takes one line, whatever it said", () => {
  const said = { index: 3, label: "say", status: "done", detail: "exit 3: first\n  second\n" };
  expect(stepLine(said, PLAIN)).toBe("✓ 4 say (exit 3: first second )");
});
