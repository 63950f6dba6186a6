import { execFileSync } from "node:child_process";
import { BubblewrapLauncher } from "../src/bubblewrap/index.ts";

interface Isolation {
  readonly works: boolean;
  /** Why not, in a word for the name of a suite that is skipped. */
  readonly why: string;
  /** Nothing that could be installed or mended would change it, so that a skip is right wherever the tests run. */
  readonly impossible: boolean;
}

/**
 * Whether commands can be isolated on this machine. If ours fails although bubblewrap itself can make the namespaces,
 * that is a fault and no reason to skip.
 */
export async function isolationHere(): Promise<Isolation> {
  const { level, why } = await new BubblewrapLauncher({ env: process.env, hidden: [] }).probe();
  if (level === "full") return { works: true, why: "", impossible: false };
  if (process.platform !== "linux") return { works: false, why, impossible: true };
  return { works: false, why, impossible: kernelRefuses() };
}

/** Asks for the least that isolation is made of, in the simplest way there is. */
function kernelRefuses(): boolean {
  const least = ["--ro-bind", "/", "/", "--dev", "/dev", "--proc", "/proc", "--unshare-pid", "--unshare-net"];
  try {
    execFileSync("bwrap", [...least, "true"], { stdio: "ignore", timeout: 10_000 });
    return false;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== "ENOENT";
  }
}
