import { flushCompileCache } from "node:module";
import { GitWorkspace } from "../src/git/index.ts";
import { never, silent } from "./git-fixtures.ts";

/** Makes a sandbox, or makes and releases one, in a process of its own, which kills itself at a point of that. */
flushCompileCache(); // for the next one: what is killed keeps nothing
const [dataDir = "", project = "", what = "", point = ""] = process.argv.slice(2);
const workspace = new GitWorkspace({
  dataDir,
  env: process.env,
  logger: silent,
  clock: { now: () => 0 },
  failPoint: (name) => {
    if (name === point) process.kill(process.pid, "SIGKILL");
  },
});
await workspace.create("PLAN", project, never);
if (what === "release") await workspace.release("PLAN");
