import { describe, expect, test } from "vitest";
import { commandRows } from "../command-table.ts";
import { FakeCli } from "../testing/fake-cli.ts";
import { helpText } from "./help.ts";
import { parseCommandLine } from "./parse-command-line.ts";

describe("help says", () => {
  test.each([[], ["plan"], ["a2a"], ["session"], ["action"], ["project"], ["actor"], ["tool"], ["health"]])(
    "of %s",
    async (...words) => {
      await expect(`${helpText(words, commandRows)}\n`).toMatchFileSnapshot(
        `golden/help-${words[0] ?? "all"}.txt`,
      );
    },
  );

  test.each([
    ["plan", "use"],
    ["plan", "execute"],
    ["plan", "apply"],
    ["session", "create"],
  ])("of the command %s %s", async (...words) => {
    await expect(`${helpText(words, commandRows)}\n`).toMatchFileSnapshot(
      `golden/help-${words.join("-")}.txt`,
    );
  });

  test.each(["commands", "exit-codes", "output", "connection", "flags"])("on the topic %s", async (topic) => {
    await expect(`${helpText([topic], commandRows)}\n`).toMatchFileSnapshot(`golden/topic-${topic}.txt`);
  });
});

test("agents help, --help and -h say the same, on stdout and with exit code 0", async () => {
  const texts = await Promise.all(
    [
      ["help", "plan", "use"],
      ["plan", "use", "--help"],
      ["-h", "plan", "use"],
    ].map(async (argv) => {
      const cli = new FakeCli();
      expect(await cli.run(...argv)).toBe(0);
      expect(cli.connections).toEqual([]);
      return cli.stdout;
    }),
  );
  expect(new Set(texts).size).toBe(1);
  expect(texts[0]).toContain("Usage: agents plan use <ACTION> [flags]");
});

test("help about nothing known is wrong usage", async () => {
  const cli = new FakeCli();
  expect(await cli.run("help", "exitcodes")).toBe(2);
  expect(cli.stderr).toBe('error: no help about "exitcodes"\nhint: did you mean agents help exit-codes?\n');
});

test("the version is told by -V, --version and version", async () => {
  for (const word of ["-V", "--version", "version"]) {
    const cli = new FakeCli();
    expect(await cli.run(word)).toBe(0);
    expect(cli.stdout).toBe("agents 1.2.3\n");
  }
});

test("every example is a command line that the parser takes", () => {
  const wrong = commandRows.flatMap((row) =>
    row.examples.filter(({ command }) => {
      const words =
        command
          .replace(/^id=\$\(|\)$|2?>.*$|[<|].*$/g, "")
          .trim()
          .match(/"[^"]*"|\S+/g) ?? [];
      return (
        words[0] !== "agents" ||
        !["run", "version"].includes(parseCommandLine(words.slice(1), commandRows).kind)
      );
    }),
  );
  expect(wrong).toEqual([]);
});

test("every command that is named under see also exists", () => {
  const known = new Set(
    commandRows.flatMap((row) => [row.path, ...(row.aliases ?? [])].map((path) => path.join(" "))),
  );
  const missing = commandRows.flatMap((row) =>
    (row.seeAlso ?? []).filter((path) => !known.has(path) && !path.startsWith("help ")),
  );
  expect(missing).toEqual([]);
});

test("no line of help is wider than 112 columns", () => {
  const texts = [helpText([], commandRows), ...commandRows.map((row) => helpText(row.path, commandRows))];
  expect(texts.flatMap((text) => text.split("\n")).filter((line) => line.length > 112)).toEqual([]);
});
