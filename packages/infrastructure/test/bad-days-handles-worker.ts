// A process that uses up its file handles, says how four things fail, lets go of the handles, and tries again.
import { closeSync, openSync } from "node:fs";
import { join } from "node:path";
import { CommandNotStartedError, storageErrorIn } from "@cleveragents/application";
import { SystemClock } from "../src/clock/index.ts";
import { GitWorkspace } from "../src/git/index.ts";
import { ProcessCommandRunner } from "../src/process/index.ts";
import { chunk, logger, open, plan } from "./sqlite-fixtures.ts";

const [directory = "", project = ""] = process.argv.slice(2);
const env = process.env;
const workspace = new GitWorkspace({ dataDir: directory, logger, env, clock: new SystemClock() });
const runner = new ProcessCommandRunner({ env });
const { tasks } = await open(join(directory, "store.db"));
await tasks.commit(plan("t"));
let commits = 0;

async function outcome(work: () => Promise<unknown>): Promise<string> {
  try {
    await work();
    return "done";
  } catch (error) {
    if (error instanceof CommandNotStartedError) return error.message;
    return storageErrorIn(error)?.reason ?? String(error);
  }
}

async function all() {
  return {
    inspect: await outcome(() => workspace.inspect(project)),
    command: await outcome(() =>
      runner.run({
        command: "true",
        root: project,
        projectRoot: project,
        timeoutMs: 10_000,
        network: false,
        signal: new AbortController().signal,
      }),
    ),
    open: await outcome(async () => (await open(join(directory, "other.db"))).close()),
    commit: await outcome(() => {
      commits += 1;
      return tasks.commit({ taskId: "t", events: [{ key: `k${commits}`, event: chunk("x") }] });
    }),
  };
}

const held: number[] = [];
try {
  for (;;) held.push(openSync("/dev/null", "r"));
} catch {
  // None is left.
}
const without = await all();
for (const fd of held) closeSync(fd);
const again = await all();
process.stdout.write(JSON.stringify({ without, again }));
