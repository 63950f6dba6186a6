import { existsSync } from "node:fs";
import path from "node:path";
import { BubblewrapLauncher } from "../src/bubblewrap/index.ts";
import { ProcessCommandRunner } from "../src/process/index.ts";

/** A process of its own that runs a command isolated: to be killed, or to have been started with open descriptors. */
const home = process.argv[2] as string;
const dataDir = path.join(home, ".cleveragents");
const root = path.join(dataDir, "sandboxes/plan/tree");
const env = { HOME: home, PATH: "/usr/local/bin:/usr/bin:/bin" };
const isolation = new BubblewrapLauncher({ env, hidden: [dataDir] });
const asks = existsSync(path.join(root, "mode"));
const result = await new ProcessCommandRunner({ env, isolation }).run({
  command: asks
    ? "cat /proc/self/fd/7 /proc/self/fd/23; echo asked"
    : "setsid sh -c 'while :; do echo x >> beat; sleep 0.05; done' & sleep 60",
  root,
  projectRoot: path.join(home, "code/mine"),
  timeoutMs: 60_000,
  network: false,
  signal: new AbortController().signal,
});
process.stdout.write(result.stdout + result.stderr);
