import { createHash } from "node:crypto";
import { WorkspaceError } from "@cleveragents/application";
import { exitOf, type GitCommand } from "./git-command.ts";

/** Receives one blob after another, in the order in which they were asked for. */
export interface BlobSink {
  begin(object: string, size: number): void | Promise<void>;
  chunk(bytes: Buffer): void | Promise<void>;
  end(): void | Promise<void>;
}

/** Streams many blobs through one `git cat-file --batch`; never holds a whole blob. */
export async function readBlobs(
  git: GitCommand,
  store: { readonly cwd: string; readonly env: Record<string, string> },
  objects: readonly string[],
  sink: BlobSink,
): Promise<void> {
  if (objects.length === 0) return;
  const child = git.start({ args: ["cat-file", "--batch"], ...store });
  const ended = exitOf(child, store.cwd);
  // Awaited below; until then a failure to start must not count as unhandled.
  ended.catch(() => {});
  child.stdin.on("error", () => {});
  child.stderr.resume();
  child.stdin.end(`${objects.join("\n")}\n`);
  let finished = false;
  try {
    await parseBatch(child.stdout, objects.length, sink);
    finished = true;
  } finally {
    if (!finished) child.kill("SIGKILL");
    await ended;
  }
}

/** `<object> blob <size>\n<content>\n`, again and again. */
async function parseBatch(stream: AsyncIterable<Buffer>, count: number, sink: BlobSink): Promise<void> {
  let header = Buffer.alloc(0);
  let left = -1;
  let done = 0;
  for await (let bytes of stream) {
    while (bytes.length > 0) {
      if (left < 0) {
        const line = bytes.indexOf(10);
        header = Buffer.concat([header, line === -1 ? bytes : bytes.subarray(0, line)]);
        bytes = line === -1 ? bytes.subarray(bytes.length) : bytes.subarray(line + 1);
        if (line === -1) continue;
        const [object, type, size] = header.toString("latin1").split(" ");
        if (object === undefined || type !== "blob" || size === undefined)
          throw new WorkspaceError(
            "GIT_FAILED",
            `the store cannot give a content: ${header.toString("latin1")}`,
          );
        header = Buffer.alloc(0);
        left = Number(size);
        await sink.begin(object, left);
      } else if (left > 0) {
        const part = bytes.subarray(0, left);
        left -= part.length;
        bytes = bytes.subarray(part.length);
        await sink.chunk(part);
      } else {
        // The line feed after the content.
        bytes = bytes.subarray(1);
        left = -1;
        done += 1;
        await sink.end();
      }
    }
  }
  if (done !== count) throw new WorkspaceError("GIT_FAILED", `the store gave ${done} of ${count} contents`);
}

export interface BlobFacts {
  readonly sha256: string;
  readonly size: number;
}

/** Reading as much takes longer than anybody waits without a word. */
const LARGE_BYTES = 64 * 1024 * 1024;

/** Adds up SHA-256 and size of each blob that passes. */
export class FactsSink implements BlobSink {
  readonly facts = new Map<string, BlobFacts>();
  #hash = createHash("sha256");
  #object = "";
  #size = 0;
  readonly #onLarge: ((bytes: number) => void) | undefined;

  constructor(onLarge?: (bytes: number) => void) {
    this.#onLarge = onLarge;
  }

  begin(object: string, size: number): void {
    if (size >= LARGE_BYTES) this.#onLarge?.(size);
    this.#hash = createHash("sha256");
    this.#object = object;
    this.#size = size;
  }

  chunk(bytes: Buffer): void {
    this.#hash.update(bytes);
  }

  end(): void {
    this.facts.set(this.#object, { sha256: this.#hash.digest("hex"), size: this.#size });
  }
}
