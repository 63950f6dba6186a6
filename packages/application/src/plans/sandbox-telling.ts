import type { SandboxProgress } from "../ports/workspace.ts";
import { statusEvent } from "./plan-writer.ts";
import type { Turn } from "./turn.ts";

/** Smaller projects are ready before anybody has read that they are being copied. */
const LARGE = { files: 5000, bytes: 200_000_000 };
/** What is written to a project is synced file by file. */
const MANY_SYNCED = 500;
/** How often somebody who waits is told that it goes on. */
const EVERY_MS = 10_000;

/** Tells a plan's stream how far work on a large project is; on a small one it says nothing. End it in any case. */
export class SandboxTelling implements AsyncDisposable {
  readonly #turn: Turn;
  #timer: ReturnType<typeof setInterval> | undefined;
  #told: Promise<void> = Promise.resolve();

  constructor(turn: Turn) {
    this.#turn = turn;
  }

  tell(progress: SandboxProgress): void {
    const many = progress.stage === "applying" ? MANY_SYNCED : LARGE.files;
    if (progress.files < many && progress.bytes < LARGE.bytes) return;
    clearInterval(this.#timer);
    let seconds = 0;
    this.#append(progress, seconds);
    this.#timer = setInterval(() => {
      seconds += EVERY_MS / 1000;
      this.#append(progress, seconds);
    }, EVERY_MS);
    this.#timer.unref?.();
  }

  /** Resolves when everything that was told is in the log. */
  async [Symbol.asyncDispose](): Promise<void> {
    clearInterval(this.#timer);
    await this.#told;
  }

  #append({ stage, files, bytes }: SandboxProgress, seconds: number): void {
    const { plan, writer } = this.#turn;
    const event = statusEvent("working", {
      key: `a${plan.attempt}:sandbox:${stage}:${files}:${bytes}:${seconds}`,
      name: "sandbox.progress",
      data: { stage, files, bytes, seconds },
    });
    // Whoever may not write any more hears of it by the commit that ends the turn.
    this.#told = this.#told.then(() => writer.append(plan.planId, [event])).catch(() => undefined);
  }
}
