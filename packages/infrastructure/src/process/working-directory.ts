import { realpath, stat } from "node:fs/promises";
import path from "node:path";
import { CommandNotStartedError } from "@cleveragents/application";

/** The real directory that a command begins in. Throws {@link CommandNotStartedError} if it is not in the root. */
export async function workingDirectory(root: string, cwd = "."): Promise<string> {
  if (cwd.includes("\0")) throw new CommandNotStartedError("the working directory holds a NUL character");
  const realRoot = await realpath(root).catch((cause: unknown) => {
    throw new CommandNotStartedError("the sandbox is not there any more", { cause });
  });
  const real = await realpath(path.resolve(realRoot, cwd)).catch((cause: unknown) => {
    throw new CommandNotStartedError(`the working directory ${cwd} does not exist`, { cause });
  });
  const relative = path.relative(realRoot, real);
  if (relative === ".." || relative.startsWith(`..${path.sep}`) || path.isAbsolute(relative)) {
    throw new CommandNotStartedError(`the working directory ${cwd} is outside of the sandbox`);
  }
  if (!(await stat(real)).isDirectory())
    throw new CommandNotStartedError(`the working directory ${cwd} is not a directory`);
  return real;
}
