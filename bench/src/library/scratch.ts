import { mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const open = new Set<string>();

/** A directory that is gone after `using`, or at the end of the process whatever ends it. */
export function scratch(): Disposable & {
  readonly path: string;
  readonly join: (...parts: string[]) => string;
} {
  const path = realpathSync(mkdtempSync(join(tmpdir(), "cleveragents-bench-")));
  open.add(path);
  return {
    path,
    join: (...parts) => join(path, ...parts),
    [Symbol.dispose]: () => remove(path),
  };
}

function remove(path: string): void {
  open.delete(path);
  rmSync(path, { recursive: true, force: true, maxRetries: 5 });
}

process.on("exit", () => {
  for (const path of open) remove(path);
});
