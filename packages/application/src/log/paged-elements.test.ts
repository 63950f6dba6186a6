import type { StreamElement } from "@cleveragents/protocol";
import { expect, test } from "vitest";
import { PagedElements } from "./paged-elements.ts";

const element = (seq: number): StreamElement => ({ cursor: `t:${seq}`, seq, result: {} });

test("elements come one by one, in the order of their pages, whether or not a page has any", async () => {
  async function* pages() {
    yield [element(1)];
    yield [];
    yield [element(2), element(3)];
  }
  const seqs: number[] = [];
  for await (const { seq } of new PagedElements(pages())) seqs.push(seq);
  expect(seqs).toEqual([1, 2, 3]);
});

test("a page is made when it is needed, and none after the reader has left in the middle of one", async () => {
  const made: string[] = [];
  async function* pages() {
    try {
      for (let n = 0; ; n += 2) {
        made.push(`page ${n}`);
        yield [element(n), element(n + 1)];
      }
    } finally {
      made.push("ended");
    }
  }
  const elements = new PagedElements(pages());
  await elements.next();
  expect(made).toEqual(["page 0"]);
  for await (const { seq } of elements) if (seq === 2) break;
  expect(made).toEqual(["page 0", "page 2", "ended"]);
  expect(await elements.next()).toEqual({ done: true, value: undefined });
});

test("what the pages throw is thrown where the next element would have been", async () => {
  async function* pages() {
    yield [element(1)];
    throw new Error("gone");
  }
  const elements = new PagedElements(pages());
  expect(await elements.next()).toMatchObject({ value: { seq: 1 } });
  await expect(elements.next()).rejects.toThrow("gone");
});
