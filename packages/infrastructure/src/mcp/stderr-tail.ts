import { StringDecoder } from "node:string_decoder";
import type { SecretRedactor } from "../process/secret-redactor.ts";

const KEPT = 64 * 1024;

/** Takes all that a server writes to stderr, so that it never has to wait, and keeps the end of it without secrets. */
export class StderrTail {
  readonly #decoder = new StringDecoder("utf8");
  readonly #redactor: SecretRedactor;
  #text = "";

  constructor(redactor: SecretRedactor) {
    this.#redactor = redactor;
  }

  push(chunk: Buffer): void {
    this.#text += this.#redactor.push(this.#decoder.write(chunk));
    if (this.#text.length > 2 * KEPT) this.#text = this.#text.slice(-KEPT);
  }

  text(): string {
    return this.#text.slice(-KEPT);
  }

  end(): void {
    this.#text += this.#redactor.push(this.#decoder.end()) + this.#redactor.end();
  }
}
