/** Keeps the end of a text that goes by, in bounded memory. */
export class TextTail {
  readonly #max: number;
  #text = "";

  constructor(maxCharacters: number) {
    this.#max = maxCharacters;
  }

  push(text: string): void {
    this.#text += text.slice(-this.#max);
    // Cut now and then, not at every push.
    if (this.#text.length > 2 * this.#max) this.#text = this.#text.slice(-this.#max);
  }

  get text(): string {
    return this.#text.slice(-this.#max);
  }
}
