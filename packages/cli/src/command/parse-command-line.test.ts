import { describe, expect, test } from "vitest";
import { commandRows } from "../command-table.ts";
import { FakeCli } from "../testing/fake-cli.ts";
import { GLOBAL_FLAGS } from "./global-options.ts";
import { NOUNS, VERBS } from "./other-words.ts";
import { parseCommandLine } from "./parse-command-line.ts";

function values(...argv: string[]) {
  const parsed = parseCommandLine(argv, commandRows);
  if (parsed.kind !== "run") throw new Error(`not a command: ${parsed.kind}`);
  return parsed.values;
}

describe("what is read from a command line", () => {
  test("flags may stand before, between and after the words of a command", () => {
    const read = values("-o", "json", "plan", "--arg", "a=1", "use", "--project=p", "fix");
    expect(read.positional("ACTION")).toBe("fix");
    expect(read.text("output")).toBe("json");
    expect(read.list("arg")).toEqual(["a=1"]);
    expect(read.text("project")).toBe("p");
  });

  test("a list keeps every value, another flag its last one", () => {
    const read = values("plan", "use", "fix", "--arg", "a=1", "--arg=b=2", "-o", "json", "-o", "text");
    expect(read.list("arg")).toEqual(["a=1", "b=2"]);
    expect(read.text("output")).toBe("text");
  });

  test("what follows -- is no flag", () => {
    expect(values("plan", "status", "--", "-x").positional("ID")).toBe("-x");
  });

  test("an alias of a path is the same command", () => {
    expect(parseCommandLine(["session", "list"], commandRows)).toMatchObject({
      row: { path: ["a2a", "session", "list"] },
    });
  });
});

describe("wrong usage ends with exit code 2 and says what was meant", () => {
  test.each([
    [["plna", "list"], 'error: unknown command "plna"\nhint: did you mean agents plan?\n'],
    [["plan", "lsit"], 'error: unknown command "plan lsit"\nhint: did you mean agents plan list?\n'],
    [
      ["a2a", "session", "creat"],
      'error: unknown command "a2a session creat"\nhint: did you mean agents a2a session create?\n',
    ],
    [["plan", "ls"], 'error: unknown command "plan ls"\nhint: did you mean agents plan list?\n'],
    [["plan", "run", "x"], 'error: unknown command "plan run"\nhint: did you mean agents plan execute?\n'],
    [["plan", "show", "x"], 'error: unknown command "plan show"\nhint: did you mean agents plan status?\n'],
    [
      ["project", "rm", "p"],
      'error: unknown command "project rm"\nhint: did you mean agents project remove?\n',
    ],
    [["list", "plans"], 'error: unknown command "list"\nhint: did you mean agents plan list?\n'],
    [["new", "project"], 'error: unknown command "new"\nhint: did you mean agents project create?\n'],
    [["status", "x"], 'error: unknown command "status"\nhint: did you mean agents plan status?\n'],
    [["doctor"], 'error: unknown command "doctor"\nhint: did you mean agents diagnostics?\n'],
    [["constructor"], 'error: unknown command "constructor"\nhint: agents --help lists the commands\n'],
    [
      ["plan", "list", "--json"],
      'error: unknown flag --json for "agents plan list"\nhint: did you mean -o json?\n',
    ],
    [["zzz"], 'error: unknown command "zzz"\nhint: agents --help lists the commands\n'],
    [
      ["plan", "use", "x", "--projct", "p"],
      'error: unknown flag --projct for "agents plan use"\nhint: did you mean --project?\n',
    ],
    [
      ["plan", "list", "--zzzzzz"],
      'error: unknown flag --zzzzzz for "agents plan list"\nhint: agents plan list --help lists its flags\n',
    ],
    [["--zzzzzz"], 'error: unknown flag --zzzzzz for "agents"\nhint: agents --help lists its flags\n'],
    [
      ["plan", "list", "-x"],
      'error: unknown flag -x for "agents plan list"\nhint: agents plan list --help lists its flags\n',
    ],
    [["plan", "use"], "error: ACTION is missing\nhint: usage: agents plan use <ACTION> [flags]\n"],
    [["plan", "status", ""], "error: ID is missing\nhint: usage: agents plan status <ID>\n"],
    [["plan", "status", "a", "b"], 'error: unexpected argument "b"\nhint: usage: agents plan status <ID>\n'],
    [
      ["plan", "list", "-o", "jsn"],
      'error: -o is one of text, json, yaml, name, not "jsn"\nhint: did you mean json?\n',
    ],
    [["plan", "list", "--yes=1"], "error: --yes takes no value\n"],
    [["plan", "list", "--project"], "error: --project needs a value\n"],
    [
      ["plan", "list", "--project", "-q"],
      'error: --project needs a value\nhint: a value that begins with "-" is written --project=-q\n',
    ],
    [["plan", "list", "--timeout", "soon"], 'error: --timeout is a positive number, not "soon"\n'],
    [["plan", "list", "--timeout", "0"], 'error: --timeout is a positive number, not "0"\n'],
  ])("%j", async (argv, expected) => {
    const cli = new FakeCli();
    expect(await cli.run(...argv)).toBe(2);
    expect(cli.stderr).toBe(expected);
    expect(cli.stdout).toBe("");
    expect(cli.connections).toEqual([]);
  });

  test("a noun without a verb shows its commands on stderr", async () => {
    const cli = new FakeCli();
    expect(await cli.run("project")).toBe(2);
    expect(cli.stderr).toContain("project create");
    expect(cli.stdout).toBe("");
  });
});

test("what other programs' words are said to mean is there", () => {
  const known = commandRows
    .flatMap((row) => [row.path, ...(row.aliases ?? [])])
    .map((path) => path.join(" "));
  const verbs = new Set(known.map((path) => path.split(" ").at(-1)));
  expect(Object.values(NOUNS).filter((path) => !known.includes(path))).toEqual([]);
  expect(
    Object.values(VERBS)
      .flat()
      .filter((verb) => !verbs.has(verb)),
  ).toEqual([]);
  expect(Object.keys(NOUNS).filter((word) => known.some((path) => path.split(" ")[0] === word))).toEqual([]);
});

test("a flag of one name takes a value in all commands or in none, since it is read before the command is known", () => {
  const types = new Map<string, Set<boolean>>();
  for (const flags of [GLOBAL_FLAGS, ...commandRows.map((row) => row.flags ?? {})]) {
    for (const [name, { type }] of Object.entries(flags))
      types.set(name, (types.get(name) ?? new Set()).add(type === "boolean"));
  }
  expect([...types].filter(([, of]) => of.size > 1)).toEqual([]);
});
