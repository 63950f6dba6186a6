import type { StreamElement } from "@cleveragents/protocol";

/**
 * A stream that is made page by page and taken one by one: an element of a page that is here costs a promise, not a
 * turn of each generator that it comes through.
 */
export class PagedElements implements AsyncIterableIterator<StreamElement, undefined> {
  readonly #pages: AsyncGenerator<readonly StreamElement[], void>;
  #page: readonly StreamElement[] = [];
  #next = 0;

  constructor(pages: AsyncGenerator<readonly StreamElement[], void>) {
    this.#pages = pages;
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  next(): Promise<IteratorResult<StreamElement, undefined>> {
    const value = this.#page[this.#next];
    if (value === undefined) return this.#turn();
    this.#next += 1;
    return Promise.resolve({ done: false, value });
  }

  /** What waits for a page is freed by the signal that the pages were made with. */
  async return(): Promise<IteratorResult<StreamElement, undefined>> {
    this.#page = [];
    await this.#pages.return();
    return { done: true, value: undefined };
  }

  async #turn(): Promise<IteratorResult<StreamElement, undefined>> {
    for (;;) {
      const page = await this.#pages.next();
      if (page.done === true) return { done: true, value: undefined };
      const [value] = page.value;
      if (value === undefined) continue;
      this.#page = page.value;
      this.#next = 1;
      return { done: false, value };
    }
  }
}
