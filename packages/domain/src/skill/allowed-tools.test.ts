import { expect, test } from "vitest";
import { asksForCommand, toolDescriptor, toolPatterns } from "./allowed-tools.ts";

test.each([
  ["Bash(git:*) Read", ["Bash(git:*)", "Read"]],
  ["Bash(npm run test), Write,Edit", ["Bash(npm run test)", "Write", "Edit"]],
  ["  ", []],
  ["Bash(a (b) c) X)", ["Bash(a (b) c)", "X)"]],
])("%j are the patterns %j", (text, patterns) => {
  expect(toolPatterns(text)).toEqual(patterns);
});

test.each([
  ["Read", { tools: ["builtin/read_file"] }],
  ["Bash", { tools: ["builtin/shell"], commands: "*" }],
  ["Bash(git:*)", { tools: ["builtin/shell"], commands: "git *" }],
  ["Bash(npm run test:*)", { tools: ["builtin/shell"], commands: "npm run test *" }],
  ["Bash(npm run test)", { tools: ["builtin/shell"], commands: "npm run test" }],
  ["Bash(*)", { tools: ["builtin/shell"], commands: "*" }],
  // No rule of ours says this, and so it allows nothing.
  ["Bash(a && b)", { tools: [] }],
  ["Bash(git:*", { tools: [] }],
  ["mcp__github__create_issue", { tools: ["mcp/github__create_issue"] }],
  ["team/own-tool", { tools: ["team/own-tool"] }],
  ["ask_user_question", { tools: ["builtin/ask"] }],
  ["Telepathy", { tools: [] }],
  ["constructor", { tools: [] }],
])("%j means %j", (pattern, meant) => {
  expect(toolDescriptor(pattern)).toEqual({ pattern, ...meant });
});

test("a command is asked for as it is written or as it is run, and never what no pattern names", () => {
  const asks = (allowed: string | undefined, ...spellings: string[][]) =>
    asksForCommand(allowed === undefined ? undefined : toolPatterns(allowed).map(toolDescriptor), spellings);
  expect(asks(undefined, ["scripts/x.sh"])).toBe(true);
  expect(asks("Bash", ["scripts/x.sh"])).toBe(true);
  expect(asks("Bash(python3:*)", ["scripts/x.py"], ["python3", "scripts/x.py"])).toBe(true);
  expect(asks("Bash(scripts/deploy.sh:*) Read", ["scripts/deploy.sh", "--env", "staging"])).toBe(true);
  expect(asks("Bash(git:*)", ["scripts/x.sh"])).toBe(false);
  expect(asks("Read", ["scripts/x.sh"])).toBe(false);
});
