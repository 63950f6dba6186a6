import { flushCompileCache } from "node:module";
import { GitWorkspace } from "../src/git/index.ts";
import { silent } from "./git-fixtures.ts";

/** Applies in a process of its own, which kills itself at a point of the apply. */
flushCompileCache(); // for the next one: what is killed keeps nothing
const [dataDir = "", project = "", state = "", toTree = "", digest = "", point = ""] = process.argv.slice(2);
const workspace = new GitWorkspace({
  dataDir,
  env: process.env,
  logger: silent,
  clock: { now: () => 0 },
  failPoint: (name, of) => {
    if ([name.replace("workspace.apply.", ""), of].join(" ").trim() === point)
      process.kill(process.pid, "SIGKILL");
  },
});
const sandbox = await workspace.open("PLAN", project, JSON.parse(state));
await workspace.apply(sandbox, { planId: "PLAN", digest, toTree });
