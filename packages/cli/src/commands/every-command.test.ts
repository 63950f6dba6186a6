import { TransportError } from "@cleveragents/protocol";
import { expect, test } from "vitest";
import { commandRows } from "../command-table.ts";
import { ALL_CASES } from "../testing/cases/all-cases.ts";
import { Refusal } from "../testing/fake-cli.ts";
import { pathOf, runCase } from "../testing/run-case.ts";

/** One case of each command. */
const ONCE = [...new Map(ALL_CASES.map((given) => [pathOf(given), given])).values()];
/** Those that ask our server. */
const ASKING = ONCE.filter(({ method }) => method !== undefined);

/** Commands whose golden files lie with tests of their own, since more than an answer belongs to them. */
const TESTED_APART = [
  ...["mcp add", "mcp login", "lsp add"],
  ...["login", "logout", "server connect", "server status", "server disconnect", "serve"],
  ...["a2a auth login", "a2a auth logout", "a2a conformance"],
  ...["init", "demo", "diagnostics run", "events export", "actor run"],
];

test("every command of the table is written down, or has tests of its own", () => {
  const known = new Set([...ONCE.map(pathOf), ...TESTED_APART]);
  const paths = commandRows.map(({ path }) => path.join(" "));
  expect(paths.filter((path) => !known.has(path))).toEqual([]);
  expect(TESTED_APART.filter((path) => !paths.includes(path))).toEqual([]);
});

test.each(ASKING)("agents $argv tells a refusal the same way as all others", async (given) => {
  const refuses = new Refusal(-32001, "It is not there.", {
    reason: "NOT_FOUND",
    details: [],
    hint: "agents plan list",
  });
  const everything = new Proxy({}, { get: () => refuses, has: () => true });
  const where = { calls: everything, streams: [[refuses]] };
  const text = await runCase(given, { where, result: refuses });
  expect([text.code, text.cli.stdout]).toEqual([1, ""]);
  expect(text.cli.stderr).toMatch(/(?:^|\n)error: It is not there\.\n(?:hint: .*\n)?$/);
  const json = await runCase(given, { where, result: refuses, flags: ["-o", "json"] });
  expect(json.code).toBe(1);
  expect(JSON.parse(json.cli.stdout)).toMatchObject({
    error: { code: "NOT_FOUND", message: "It is not there.", a2aCode: -32001 },
  });
});

test.each(ASKING)("agents $argv ends with 3 where nobody listens, and says what to do", async (given) => {
  const where = { connect: () => new TransportError("NOT_CONNECTED", "nobody listens there") };
  const { code, cli } = await runCase(given, { where });
  expect([code, cli.stdout]).toEqual([3, ""]);
  expect(cli.stderr).toMatch(/error: nobody listens there\nhint: .+\n$/);
});

test.each(ONCE)(
  "agents $argv refuses a flag that it does not know, before anything is done",
  async (given) => {
    const { code, cli } = await runCase(given, { flags: ["--no-such-flag"] });
    expect([code, cli.connections]).toEqual([2, []]);
    expect(`${cli.stderr}${cli.stdout}`).toContain("--no-such-flag");
  },
);
