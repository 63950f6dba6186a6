import { execFile } from "node:child_process";
import { mkdtemp, realpath, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { findProgram } from "./find-program.ts";
import { inheritedDescriptors } from "./inherited-descriptors.ts";
import { sandboxArguments } from "./sandbox-arguments.ts";
import { type Bubblewrap, startBubblewrap } from "./start-bubblewrap.ts";
import { systemMounts } from "./system-mounts.ts";

export type Probed =
  | (Bubblewrap & { readonly works: true; readonly users: readonly string[]; readonly version: string })
  | { readonly works: false; readonly why: string };

const AT_MOST_MS = 5000;
/** Best first. A command that can make user namespaces reaches parts of the kernel that it has no business with. */
const USERS = [["--unshare-user", "--disable-userns"], ["--unshare-user-try"]];

/** Runs a command in bubblewrap, all that commands are given included, and says what came of it. */
export async function probeBubblewrap(searched: string): Promise<Probed> {
  const none = (why: string): Probed => ({ works: false, why });
  if (process.platform !== "linux") return none("bubblewrap isolates commands on Linux only");
  const program = await findProgram("bwrap", searched);
  if (program === undefined) return none("bubblewrap is not installed");
  const bubblewrap = { program, inherited: await inheritedDescriptors() };
  const root = await realpath(await mkdtemp(join(tmpdir(), "cleveragents-probe-")));
  try {
    let why = "";
    for (const users of USERS) {
      const failure = await attempt(bubblewrap, users, root);
      if (failure === undefined)
        return { ...bubblewrap, works: true, users, version: await versionOf(program) };
      why = failure;
    }
    return none(`bubblewrap is installed and does not work here: ${why}`);
  } finally {
    await rm(root, { recursive: true, force: true });
  }
}

/** Undefined if it works, else why not. */
async function attempt(
  bubblewrap: Bubblewrap,
  users: readonly string[],
  root: string,
): Promise<string | undefined> {
  const options = sandboxArguments({
    users,
    network: false,
    mounts: [...(await systemMounts()), { kind: "writable", at: root, from: root }],
    directory: root,
    environment: { PATH: "/usr/bin:/bin" },
  });
  let said = "";
  try {
    const { child, status, tree } = await startBubblewrap(
      bubblewrap,
      options,
      ["/bin/sh", "-c", "echo yes > written"],
      () => undefined,
    );
    child.stdout?.resume();
    child.stderr?.on("data", (chunk: Buffer) => {
      if (said.length < 1000) said += chunk.toString("utf8");
    });
    const timer = setTimeout(() => void tree.kill(), AT_MOST_MS);
    await Promise.all([status.ended, new Promise((resolve) => child.once("close", resolve))]);
    clearTimeout(timer);
    await tree.kill();
    if (status.exitCode === 0) return undefined;
  } catch (error) {
    said = error instanceof Error ? error.message : String(error);
  }
  return (
    said
      .trim()
      .split("\n", 1)[0]
      ?.replace(/^bwrap: /, "") || "it gives no reason"
  );
}

async function versionOf(program: string): Promise<string> {
  try {
    const { stdout } = await promisify(execFile)(program, ["--version"], { env: {}, timeout: AT_MOST_MS });
    return stdout.trim();
  } catch {
    return "bubblewrap";
  }
}
