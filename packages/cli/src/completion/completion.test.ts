import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { describe, expect, test } from "vitest";
import { commandRows } from "../command-table.ts";
import { FakeCli } from "../testing/fake-cli.ts";
import { completionLines } from "./answer.ts";
import { complete } from "./candidates.ts";
import { completionScript, SHELLS } from "./scripts.ts";

const texts = (...words: string[]) => complete(words, commandRows).candidates.map(({ text }) => text);

describe("what may come next", () => {
  test("the nouns of all commands, and help", () => {
    expect(texts("")).toEqual(expect.arrayContaining(["plan", "session", "version", "help"]));
    expect(texts("pl")).toEqual(["plan"]);
  });

  test("the verbs of a noun", () => {
    expect(texts("plan", "ap")).toEqual(["apply", "approve"]);
    expect(texts("auth", "key", "")).toEqual(expect.arrayContaining(["create", "list", "revoke"]));
    expect(texts("nothing", "")).toEqual([]);
  });

  test("the flags of a command and of all commands, wherever they stand", () => {
    expect(texts("plan", "apply", "--di")).toContain("--digest");
    expect(texts("--out", "")).not.toContain("--digest");
    expect(texts("plan", "apply", "--no-c")).toEqual(["--no-color"]);
  });

  test("the values of a flag, however it is written", () => {
    expect(texts("plan", "list", "-o", "js")).toEqual(["json"]);
    expect(texts("plan", "list", "--output", "")).toEqual(["text", "json", "yaml", "name"]);
    expect(texts("plan", "list", "--output=y")).toEqual(["--output=yaml"]);
    // As bash cuts a line.
    expect(texts("plan", "list", "--output", "=", "y")).toEqual(["yaml"]);
    expect(texts("plan", "list", "--output", "=")).toEqual(["text", "json", "yaml", "name"]);
  });

  test("no value where a flag has none, but the next word", () => {
    expect(texts("--quiet", "plan", "ap")).toEqual(["apply", "approve"]);
    expect(texts("-o", "json", "plan", "ap")).toEqual(["apply", "approve"]);
  });

  test("files where a file is meant, and only there", () => {
    expect(complete(["--data-dir", ""], commandRows).files).toBe(true);
    expect(complete(["plan", "use", ""], commandRows)).toEqual({ candidates: [], files: false });
  });

  test("topics and commands after help", () => {
    expect(texts("help", "exit")).toEqual(["exit-codes"]);
    expect(texts("help", "plan", "ap")).toEqual(["apply", "approve"]);
  });

  test("the shells of its own command", () => {
    expect(texts("completion", "")).toEqual([...SHELLS]);
    expect(texts("completion", "bash", "")).toEqual([]);
  });
});

test("shells are answered in lines, with what each candidate is", () => {
  expect(completionLines(["--", "plan", "app"], commandRows).split("\n")).toEqual([
    expect.stringMatching(/^apply\t\S/),
    expect.stringMatching(/^approve\t\S/),
    "",
  ]);
  expect(completionLines(["--", "--data-dir", ""], commandRows)).toBe(":files\n");
});

test("a script is printed for each shell, and an unknown one is refused", async () => {
  for (const shell of SHELLS) {
    const cli = new FakeCli();
    expect(await cli.run("completion", shell)).toBe(0);
    expect(cli.stdout).toBe(completionScript(shell));
    expect(cli.stdout).toContain("__complete --");
  }
  const cli = new FakeCli();
  expect(await cli.run("completion", "bsh")).toBe(2);
  expect(cli.stderr).toContain("did you mean bash?");
});

test("a line that is to be completed is answered, whatever its words mean otherwise", async () => {
  const cli = new FakeCli();
  expect(await cli.run("__complete", "--", "plan", "apply", "--he")).toBe(0);
  expect(cli.stdout).toMatch(/^--help\t/);
  expect(cli.stderr).toBe("");
});

test("bash makes words of the answers, files included", async () => {
  const line = `
    agents() { [ "$*" = "__complete -- plan a b" ] && printf 'apply\\tit\\nap prove\\tit\\n:files\\n'; }
    compopt() { :; }
    ${completionScript("bash")}
    cd "$(mktemp -d)" && touch "b c" bd x
    COMP_WORDS=(agents plan "a b" more) COMP_CWORD=2
    _agents_complete; COMP_WORDS=(agents plan a b more) COMP_CWORD=3; _agents_complete
    printf '%s|' "\${COMPREPLY[@]}"`;
  const { stdout } = await promisify(execFile)("bash", ["--norc", "-c", line]);
  expect(stdout.split("|").slice(0, -1).sort()).toEqual(["ap prove", "apply", "b c", "bd"]);
});
