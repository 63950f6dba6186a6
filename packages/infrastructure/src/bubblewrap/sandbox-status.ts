import type { Readable } from "node:stream";

/** What bubblewrap tells about a command (`--json-status-fd`): a JSON object a line. */
export class SandboxStatus {
  /** Process id on this host of what is process 1 inside. */
  init: number | undefined;
  /** Told only of a command that was really run. A signal that has ended it is 128 and its number, as shells say it. */
  exitCode: number | undefined;
  readonly ended: Promise<void>;
  #rest = "";

  constructor(stream: Readable) {
    this.ended = new Promise((resolve) => stream.once("close", resolve));
    stream.on("error", () => undefined);
    stream.on("data", (chunk: Buffer) => {
      const lines = (this.#rest + chunk.toString("utf8")).split("\n");
      this.#rest = lines.pop() ?? "";
      for (const line of lines) this.#take(line);
    });
  }

  #take(line: string): void {
    try {
      const told = JSON.parse(line) as { "child-pid"?: number; "exit-code"?: number };
      this.init ??= told["child-pid"];
      this.exitCode ??= told["exit-code"];
    } catch {
      // a line for people
    }
  }
}
