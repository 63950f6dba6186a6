const ULID = /\b[0-9A-HJKMNP-TV-Z]{26}\b/g;
const TIME = /\b\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z/g;
const SECONDS = /"seconds":[\d.]+/g;

/** Puts the same word for the same id, in the order in which ids appear, and one word for every time and for what took its time. */
export class Placeholders {
  readonly #fixed: Readonly<Record<string, string>>;
  readonly #ids = new Map<string, string>();

  constructor(fixed: Readonly<Record<string, string>>) {
    this.#fixed = fixed;
  }

  in(value: unknown): unknown {
    let text = JSON.stringify(value);
    for (const [found, word] of Object.entries(this.#fixed)) text = text.replaceAll(found, word);
    text = text
      .replace(TIME, "<time>")
      .replace(SECONDS, '"seconds":"<duration>"')
      .replace(ULID, (id) => {
        const word = this.#ids.get(id) ?? `<id ${this.#ids.size + 1}>`;
        this.#ids.set(id, word);
        return word;
      });
    return JSON.parse(text) as unknown;
  }
}
