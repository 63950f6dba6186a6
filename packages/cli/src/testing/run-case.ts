import { commandRows } from "../command-table.ts";
import type { Case } from "./cases/case.ts";
import { FakeCli, type FakeCliOptions } from "./fake-cli.ts";
import { ORIGIN, ScriptedAgent } from "./scripted-agent.ts";

export interface CaseRun {
  readonly code: number;
  readonly cli: FakeCli;
}

export interface CaseChange {
  /** More words of the command line. */
  readonly flags?: readonly string[];
  readonly where?: FakeCliOptions;
  /** What the server answers in the place of the case's own result. */
  readonly result?: unknown;
}

/** Runs a case in this process, somewhere: in a pipe, or on a terminal of some width. */
export async function runCase(
  { argv, method, result, agent, more = {} }: Case,
  change: CaseChange = {},
): Promise<CaseRun> {
  const words = [...argv.split(" "), ...(change.flags ?? [])];
  const options: FakeCliOptions = {
    ...more,
    ...change.where,
    env: { ...more.env, ...change.where?.env },
  };
  if (agent !== undefined) {
    const { code, cli } = await new ScriptedAgent({ answers: agent }).run(words.slice(1), {
      ...options,
      env: { A2ACLI_AGENT_CARD: ORIGIN, ...options.env },
    });
    return { code, cli };
  }
  const answer = "result" in change ? change.result : result;
  const calls = { ...more.calls, ...(method === undefined ? {} : { [method]: answer as object }) };
  const cli = new FakeCli({ ...options, calls });
  return { code: await cli.run(...words), cli };
}

/** The command that a case is of, by the path that the table has. */
export function pathOf({ argv }: Case): string {
  const words = argv.split(" ");
  const spellings = commandRows.flatMap(({ path, aliases = [] }) =>
    [path, ...aliases].map((spelling) => ({ spelling, path })),
  );
  return (
    spellings
      .filter(({ spelling }) => spelling.every((word, at) => words[at] === word))
      .sort((a, b) => b.spelling.length - a.spelling.length)[0]
      ?.path.join(" ") ?? argv
  );
}
