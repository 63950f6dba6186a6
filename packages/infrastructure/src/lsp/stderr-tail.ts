import type { Readable } from "node:stream";
import { StringDecoder } from "node:string_decoder";
import { lastWords } from "../process/last-words.ts";
import { SecretRedactor } from "../process/secret-redactor.ts";

const KEPT = 64 * 1024;

/** Reads a server's stderr, as it would stand still otherwise, and keeps its end without secrets. */
export class StderrTail {
  #text = "";

  constructor(stream: Readable, secrets: readonly string[]) {
    const decoder = new StringDecoder("utf8");
    const redactor = new SecretRedactor(secrets);
    const keep = (text: string): void => {
      this.#text = (this.#text + text).slice(-KEPT);
    };
    stream.on("data", (chunk: Buffer) => keep(redactor.push(decoder.write(chunk))));
    stream.on("end", () => keep(redactor.push(decoder.end()) + redactor.end()));
    stream.on("error", () => undefined);
  }

  /** Its last words, in one line, or nothing. */
  told(): string {
    return lastWords(this.#text);
  }
}
