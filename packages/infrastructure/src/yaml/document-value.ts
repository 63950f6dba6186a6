import {
  type Alias,
  type Document,
  isAlias,
  isMap,
  isScalar,
  isSeq,
  type Node,
  type Pair,
  type YAMLMap,
} from "yaml";
import { interpolate } from "./interpolate.ts";
import type { ProblemList, ProblemPath } from "./problem-list.ts";

/** Far more than any document of ours has; what aliases multiply counts each time. */
const MAX_NODES = 20_000;
const MAX_DEPTH = 100;

/** A document cannot be expanded within the limits. The problem has been reported. */
export class TooLargeError extends Error {
  override readonly name = "TooLargeError";
}

export interface InterpolatedPlace {
  readonly path: ProblemPath;
  readonly text: string;
  /** It has been reported; whatever a schema says about the value is noise. */
  readonly broken: boolean;
}

export type Entry = Pair<Node, Node | null>;

/** Turns nodes into plain values, puts in environment variables, and notes where everything is. */
export class DocumentValue {
  readonly interpolated: InterpolatedPlace[] = [];
  readonly #document: Document;
  readonly #env: Readonly<Record<string, string | undefined>>;
  readonly #problems: ProblemList;
  readonly #open = new Set<Node>();
  #nodes = 0;

  constructor(document: Document, env: Readonly<Record<string, string | undefined>>, problems: ProblemList) {
    this.#document = document;
    this.#env = env;
    this.#problems = problems;
  }

  /** Throws {@link TooLargeError}. */
  of(node: Node | null, path: ProblemPath): unknown {
    this.#nodes += 1;
    if (this.#nodes > MAX_NODES)
      this.#tooLarge(path, node, "the document is too large when its aliases are written out");
    if (node === null) return null;
    if (isScalar(node)) return this.#scalar(node.value, path);
    if (this.#open.has(node))
      this.#tooLarge(path, node, "an alias stands for something that it is a part of");
    if (this.#open.size >= MAX_DEPTH)
      this.#tooLarge(path, node, `the document is nested more than ${MAX_DEPTH} levels deep`);
    this.#open.add(node);
    try {
      if (isAlias(node)) return this.#alias(node, path);
      if (isMap(node)) return this.entries((node as YAMLMap<Node, Node | null>).items, path);
      if (isSeq(node)) return node.items.map((item, i) => this.#item(item as Node | null, [...path, i]));
      return null;
    } finally {
      this.#open.delete(node);
    }
  }

  entries(entries: readonly Entry[], path: ProblemPath): Record<string, unknown> {
    const value: Record<string, unknown> = {};
    const lines = new Map<string, number | undefined>();
    for (const entry of entries) {
      const key = keyOf(entry);
      const here = [...path, key];
      const keyOffset = offsetOf(entry.key);
      if (lines.has(key)) {
        const first = lines.get(key);
        this.#problems.add(
          here,
          `is there twice${first === undefined ? "" : `, first in line ${first}`}`,
          keyOffset,
        );
        continue;
      }
      // A value that is more than one line begins below its key; the key is where a person looks.
      const offset = isScalar(entry.value) ? (offsetOf(entry.value) ?? keyOffset) : keyOffset;
      if (offset !== undefined) this.#problems.locate(here, offset);
      lines.set(key, this.#problems.lineOf(here));
      if (keyOffset !== undefined) this.#problems.locate([...here, KEY], keyOffset);
      if (key === "__proto__") this.#problems.add(here, "cannot be a key");
      else value[key] = this.of(entry.value, here);
    }
    return value;
  }

  #alias(alias: Alias, path: ProblemPath): unknown {
    const node = alias.resolve(this.#document) as Node | undefined; // of any kind, for all the types know
    if (node !== undefined) return this.of(node, path);
    this.#problems.add(path, `there is no anchor &${alias.source} above this alias`, offsetOf(alias));
    return null;
  }

  #item(node: Node | null, path: ProblemPath): unknown {
    const offset = offsetOf(node);
    if (offset !== undefined) this.#problems.locate(path, offset);
    return this.of(node, path);
  }

  #scalar(scalar: unknown, path: ProblemPath): unknown {
    if (typeof scalar !== "string" || !scalar.includes("${")) return scalar;
    const { value, text, problems } = interpolate(scalar, this.#env);
    for (const problem of problems) this.#problems.add(path, problem);
    this.interpolated.push({ path, text, broken: problems.length > 0 });
    return value;
  }

  #tooLarge(path: ProblemPath, node: Node | null, problem: string): never {
    this.#problems.add(path, problem, offsetOf(node));
    throw new TooLargeError(problem);
  }
}

/** Added to the path of an entry for the place of its key. */
export const KEY = "\0key";

export const keyOf = (entry: Entry): string =>
  isScalar(entry.key) ? String(entry.key.value ?? "") : String(entry.key);
export const offsetOf = (node: Node | null): number | undefined => node?.range?.[0];
