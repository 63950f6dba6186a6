import { expect, test } from "vitest";
import { FakeCli } from "../testing/fake-cli.ts";
import { fold, foldHelp } from "./fold.ts";
import { COLOURED } from "./paint.ts";

test("a long value goes on below where it began, whole words at a time", () => {
  expect(fold("Plan:    x\nLimits:  memory and open files are limited by prlimit", 34)).toBe(
    "Plan:    x\nLimits:  memory and open files are\n         limited by prlimit",
  );
  expect(fold("            and so on, further right below its label", 36)).toBe(
    "            and so on, further right\n            below its label",
  );
});

test("a word that is too long for a line stays whole", () => {
  expect(fold(`Digest:  sha256:${"7".repeat(64)} of it`, 60)).toBe(
    `Digest:  sha256:${"7".repeat(64)}\n         of it`,
  );
});

test("a command stays as it is to be copied", () => {
  const next = "Next:  agents plan approve 01J9K2TQ4M8R3V5W7X9Y0Z1A2B --option keep";
  expect(fold(next, 50)).toBe(next);
});

test("colours take no room", () => {
  const { green } = COLOURED;
  const line = `Checks:  ${green("✓")} ${green("it")} holds well enough`;
  expect(fold(line, 31)).toBe(line);
});

test("tables, documents and patches stay as they are, and so does everything in a narrow window", () => {
  const table = "NAME         DESCRIPTION\nlocal/fixer  a long description of what it does";
  const document = "description: a long description of what it does";
  expect(fold(`${table}\n${document}`, 40)).toBe(`${table}\n${document}`);
  expect(fold("Limits:  memory and open files", 24)).toBe("Limits:  memory and open files");
});

test("help is broken below the column that a line belongs to", () => {
  expect(
    foldHelp("  --exclude GLOB  all but these paths; again for more\nplain text that is too long for it", 38),
  ).toBe(
    "  --exclude GLOB  all but these paths;\n                  again for more\nplain text that is too long for it",
  );
});

test("on a terminal help fits its width", async () => {
  const cli = new FakeCli({ isTTY: true, columns: 80, env: { NO_COLOR: "1" } });
  for (const words of [[], ["plan"], ["plan", "correct"], ["help", "commands"], ["help", "output"]]) {
    await cli.run(...words, ...(words[0] === "help" ? [] : ["--help"]));
  }
  // Examples are to be copied as they stand.
  const lines = cli.stdout.split("\n").filter((line) => !line.startsWith("  agents "));
  expect(lines.filter((line) => line.length > 80)).toEqual([]);
});
