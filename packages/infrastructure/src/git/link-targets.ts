import type { BlobSink } from "./blob-reader.ts";
import { decodePath } from "./native-paths.ts";
import type { TouchedPath } from "./touched-paths.ts";

/** Collects where the links of a changeset point to, by path. */
export class LinkTargets implements BlobSink {
  readonly byPath = new Map<string, string>();
  readonly wanted: readonly string[];
  readonly #paths: string[];
  #chunks: Buffer[] = [];

  constructor(touched: readonly TouchedPath[], objects: ReadonlyMap<string, string>) {
    this.#paths = touched.filter((item) => item.after?.mode === "120000").map((item) => item.path);
    this.wanted = this.#paths.map((path) => objects.get(path) ?? "");
  }

  begin(): void {
    this.#chunks = [];
  }

  chunk(bytes: Buffer): void {
    this.#chunks.push(bytes);
  }

  end(): void {
    const path = this.#paths.shift();
    if (path !== undefined) this.byPath.set(path, decodePath(Buffer.concat(this.#chunks)));
  }
}
