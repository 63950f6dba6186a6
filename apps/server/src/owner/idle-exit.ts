import { stat } from "node:fs/promises";

export interface IdleOptions {
  readonly dataDir: string;
  readonly idleMs: number;
  /** What clients want of it. One that is connected and silent needs no owner: it comes back when it does. */
  readonly calls: () => { readonly open: number; readonly begun: number };
  readonly busy: () => Promise<boolean>;
  readonly everyMs?: number;
}

/**
 * Resolves when nobody needs the owner any more: no call of a client and no work for `idleMs`, or its directory is gone.
 * Keeps no process alive by itself.
 */
export function untilIdle(options: IdleOptions): Promise<"idle" | "vanished"> {
  const { dataDir, idleMs, calls, busy, everyMs = 1000 } = options;
  const ours = identityOf(dataDir);
  return new Promise((resolve) => {
    let quietSince = performance.now();
    let begunThen = calls().begun;
    const tick = async () => {
      if ((await identityOf(dataDir)) !== (await ours)) return finish("vanished");
      const { open, begun } = calls();
      const wanted = open > 0 || begun > begunThen;
      begunThen = begun;
      if (wanted || (await busy().catch(() => true))) quietSince = performance.now();
      else if (performance.now() - quietSince >= idleMs) return finish("idle");
      timer = setTimeout(tick, everyMs).unref();
    };
    let timer = setTimeout(tick, everyMs).unref();
    function finish(why: "idle" | "vanished"): void {
      clearTimeout(timer);
      resolve(why);
    }
  });
}

/** Resolves when a data directory is gone: a process must not outlive it. Keeps no process alive by itself. */
export function untilVanished(dataDir: string, everyMs = 1000): Promise<"vanished"> {
  const ours = identityOf(dataDir);
  return new Promise((resolve) => {
    const timer = setInterval(async () => {
      if ((await identityOf(dataDir)) === (await ours)) return;
      clearInterval(timer);
      resolve("vanished");
    }, everyMs);
    timer.unref();
  });
}

/** Tells a directory from another one that was put in its place: that one has an owner of its own. */
export async function identityOf(directory: string): Promise<string | undefined> {
  const found = await stat(directory, { bigint: true }).catch(() => undefined);
  return found && `${found.dev}:${found.ino}:${found.birthtimeNs}`;
}
