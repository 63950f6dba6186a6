import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { TransportError } from "@cleveragents/protocol";
import { describe, expect, test } from "vitest";
import { commandRows } from "../command-table.ts";
import { FakeCli, type FakeCliOptions } from "../testing/fake-cli.ts";
import { planItem, planPage } from "../testing/samples.ts";
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
    expect(complete(["plan", "use", ""], commandRows)).toMatchObject({ candidates: [], files: false });
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

test("shells are answered in lines, with what each candidate is", async () => {
  expect((await completionLines(["--", "plan", "app"], commandRows)).split("\n")).toEqual([
    expect.stringMatching(/^apply\t\S/),
    expect.stringMatching(/^approve\t\S/),
    "",
  ]);
  expect(await completionLines(["--", "--data-dir", ""], commandRows)).toBe(":files\n");
});

describe("ids and names", () => {
  const first = "01J9K2TQ4M8R3V5W7X9Y0Z1A2B";
  const second = "01J9K2TQ4M8R3V5W7X9YFFFFFF";
  const localAgent = { pid: 1, version: "1", url: undefined };
  const plans = [first, second].map((id) => planItem(id));
  const actions = [{ name: "local/fix" }, { name: "local/greet" }];
  const calls = {
    "_cleveragents/plan/list": planPage(...plans),
    "_cleveragents/registry/action/list": { actions, total: 2, next_page_token: "" },
  };
  const answer = async (options: FakeCliOptions, ...words: string[]) => {
    const cli = new FakeCli({ calls, ...options });
    expect([await cli.run("__complete", "--", ...words), cli.stderr]).toEqual([0, ""]);
    return { cli, lines: cli.stdout.trimEnd().split("\n") };
  };

  test("of the agent that runs: plans by the end that tables show, or the beginning that was typed", async () => {
    const offered = async (...words: string[]) => (await answer({ localAgent }, ...words)).lines;
    expect(await offered("plan", "status", "")).toEqual([first.slice(-8), second.slice(-8)]);
    expect(await offered("plan", "status", "9yff")).toEqual([second.slice(-8)]);
    expect(await offered("plan", "status", "01j9")).toEqual([first, second]);
    expect(await offered("plan", "use", "local/f")).toEqual(["local/fix"]);
    expect(await offered("plan", "use", "gr")).toEqual(["greet"]);
    expect(await offered("action", "show", "")).toEqual(["local/fix", "local/greet"]);
    expect(await offered("plan", "list", "--action", "local/g")).toEqual(["local/greet"]);
  });

  test("none where no agent runs, or one does not answer: nothing is started, and nothing said", async () => {
    const { cli, lines } = await answer({}, "plan", "status", "");
    expect([lines, cli.connections]).toEqual([[""], []]);
    const refuses = { connect: () => new TransportError("TIMEOUT", "no answer") };
    const away = await answer(
      { ...refuses, env: { CLEVERAGENTS_SERVER_URL: "https://x.example" } },
      "plan",
      "status",
      "",
    );
    expect([away.lines, away.cli.connections.length]).toEqual([[""], 1]);
  });
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
