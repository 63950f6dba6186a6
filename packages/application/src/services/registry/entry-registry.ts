import {
  canonicalName,
  DocumentError,
  type DocumentProblem,
  EntryChangedError,
  EntryInUseError,
  EntryNotFoundError,
  inWords,
  type JsonObject,
  ownName,
  type RegistryKind,
  withTextAt,
} from "@cleveragents/domain";
import { ProtocolError } from "@cleveragents/protocol";
import type { Clock } from "../../ports/clock.ts";
import type { DocumentReader } from "../../ports/document-reader.ts";
import type { RegistryEntry, RegistryStore } from "../../ports/registry-store.ts";
import { digestOfJson } from "../../tools/call-key.ts";
import { circleThrough } from "./cycles.ts";
import type { EntryKind, Reference } from "./entry-kind.ts";
import type { EntryCheck } from "./project-places.ts";
import { fullName } from "./references.ts";

/** A document, as the text of a file or already as a value. */
export type EntrySource =
  | { readonly document: string; readonly file: string }
  | { readonly value: JsonObject };

export interface EntryRegistryDeps {
  readonly registry: RegistryStore;
  readonly documents: DocumentReader;
  readonly clock: Clock;
  readonly kinds: readonly EntryKind[];
  /** The full name of what is there without being registered: builtin tools, profiles, a provider's models. */
  readonly known: (kind: RegistryKind, name: string) => Promise<string | undefined>;
  /** Who uses an entry without being registered, in words. */
  readonly usedBy?: (kind: RegistryKind, name: string) => Promise<readonly string[]>;
  /** In whose document something stands that is no entry of its own, in words. */
  readonly standsIn?: (kind: RegistryKind, name: string) => Promise<string | undefined>;
  /** Told when an entry has changed. */
  readonly changed?: (kind: RegistryKind) => Promise<void>;
}

/** What can be registered, all kinds in the same way. Changes are made one after the other. */
export class EntryRegistry {
  readonly #deps: EntryRegistryDeps;
  #last: Promise<unknown> = Promise.resolve();

  constructor(deps: EntryRegistryDeps) {
    this.#deps = deps;
  }

  async list(kind: RegistryKind, namespace: string | undefined): Promise<readonly RegistryEntry[]> {
    const entries = await this.#deps.registry.list(kind);
    return namespace === undefined
      ? entries
      : entries.filter((entry) => entry.name.startsWith(`${namespace}/`));
  }

  /** Throws `InvalidNameError` or `EntryNotFoundError`, which lists what there is. */
  async find(kind: RegistryKind, name: string): Promise<RegistryEntry> {
    const full = canonicalName(name);
    const entry = await this.#deps.registry.find(kind, full);
    if (entry === undefined) throw await this.#notFound(kind, full);
    return entry;
  }

  /**
   * Throws `DocumentError` with every problem by line, `EntryNotFoundError` for what it names and is not there, and
   * `EntryExistsError` where the name is taken, unless it is to be replaced.
   */
  add(kind: RegistryKind, source: EntrySource, update: boolean, check?: EntryCheck): Promise<RegistryEntry> {
    return this.#inTurn(async () => {
      const { registry, clock } = this.#deps;
      const { name, document } = await this.#read(kind, source);
      const there = update ? await registry.find(kind, name) : undefined;
      check?.(document, there?.document);
      const now = clock.now();
      const entry = { kind, name, document, createdAt: there?.createdAt ?? now, updatedAt: now };
      await (there === undefined ? registry.add(entry) : registry.replace(entry));
      await this.#deps.changed?.(kind);
      return entry;
    });
  }

  /** Replaces what is there, if it is the `revision` that is named. Throws also `EntryChangedError`. */
  update(
    kind: RegistryKind,
    source: EntrySource | ((there: RegistryEntry) => EntrySource),
    of: { readonly name?: string | undefined; readonly revision?: string | undefined },
    check?: EntryCheck,
  ): Promise<RegistryEntry> {
    return this.#inTurn(async () => {
      const { registry, clock } = this.#deps;
      const meant = of.name === undefined ? undefined : await this.#own(kind, of.name);
      if (typeof source === "function" && meant === undefined)
        throw new ProtocolError("InvalidParams", {
          violations: [{ field: "name", description: "say which one" }],
        });
      const given = typeof source === "function" ? source(meant as RegistryEntry) : source; // checked above
      const { name, document } = await this.#read(kind, given);
      if (meant !== undefined && meant.name !== name)
        throw new ProtocolError("InvalidParams", {
          violations: [
            { field: "name", description: `the document is of ${name}; an entry keeps its name for good` },
          ],
        });
      const there = meant ?? (await this.#own(kind, name));
      await assertRevision(there, of.revision);
      check?.(document, there.document);
      const entry = { kind, name, document, createdAt: there.createdAt, updatedAt: clock.now() };
      await registry.replace(entry, there);
      await this.#deps.changed?.(kind);
      return entry;
    });
  }

  /**
   * Throws `EntryInUseError` for what others need. What is only about the entry, as an attachment is, goes with it by
   * `force`, before it.
   */
  remove(
    kind: RegistryKind,
    name: string,
    of: { readonly revision?: string | undefined; readonly force?: boolean | undefined } = {},
  ): Promise<{ readonly name: string; readonly also: readonly string[] }> {
    return this.#inTurn(async () => {
      const { registry } = this.#deps;
      const entry = await this.#own(kind, name);
      await assertRevision(entry, of.revision);
      const users = await this.usersOf(kind, entry.name);
      const others = (await this.#deps.usedBy?.(kind, entry.name)) ?? [];
      const forcible = users.every(({ reference }) => reference.partOf === true);
      if (users.length + others.length > 0 && (of.force !== true || !forcible))
        throw new EntryInUseError(kind, entry.name, [...users.map(wordsOf), ...others], forcible);
      for (const user of users) await registry.remove(user.entry.kind, user.entry.name);
      await registry.remove(kind, entry.name, entry);
      await this.#deps.changed?.(kind);
      return { name: entry.name, also: users.map(wordsOf) };
    });
  }

  /** The entries that name it. */
  async usersOf(
    kind: RegistryKind,
    name: string,
  ): Promise<readonly { readonly entry: RegistryEntry; readonly reference: Reference }[]> {
    const found: { entry: RegistryEntry; reference: Reference }[] = [];
    for (const { kind: other, references } of this.#deps.kinds) {
      if (references === undefined) continue;
      for (const entry of await this.#deps.registry.list(other)) {
        if (other === kind && entry.name === name) continue;
        const reference = references(entry.document).find(
          (one) => one.kind === kind && (one.name === name || fullName(one.name) === name),
        );
        if (reference !== undefined) found.push({ entry, reference });
      }
    }
    return found;
  }

  /** As `add` takes it. */
  written({ kind, document }: Pick<RegistryEntry, "kind" | "document">): JsonObject {
    return this.#kind(kind).written?.(document) ?? document;
  }

  /** {@link find} one that can be changed. */
  async #own(kind: RegistryKind, name: string): Promise<RegistryEntry> {
    try {
      return await this.find(kind, name);
    } catch (error) {
      if (!(error instanceof EntryNotFoundError)) throw error;
      const owner = await this.#deps.standsIn?.(kind, error.entry);
      if (owner === undefined) throw error;
      throw new ProtocolError("InvalidParams", {
        violations: [
          { field: "name", description: `${error.entry} stands in the document of ${owner}: change that` },
        ],
      });
    }
  }

  async #read(
    kind: RegistryKind,
    source: EntrySource,
  ): Promise<{ readonly name: string; readonly document: JsonObject }> {
    const of = this.#kind(kind);
    const read = "document" in source ? this.#parse(of, source) : checked(of, source.value);
    const fail = (problems: readonly DocumentProblem[]) => this.#problems(of, source, problems);
    const name = ownName(read.name);
    const { document: prepared, problems = [] } = (await of.prepare?.(
      read,
      "file" in source ? source.file : undefined,
    )) ?? { document: read };
    if (problems.length > 0) throw fail(problems);
    let document = JSON.parse(JSON.stringify({ ...prepared, name })) as JsonObject;
    for (const reference of of.references?.(document) ?? []) {
      if (reference.unchecked === true) continue;
      const full = await this.#resolve(reference, kind, name);
      if (full !== reference.name) document = withTextAt(document, reference.path, full);
    }
    await this.#assertNoCircle(of, name, document, fail);
    return { name, document };
  }

  #parse(of: EntryKind, { document, file }: { readonly document: string; readonly file: string }) {
    return this.#deps.documents.read({
      text: document,
      file,
      wrapper: of.wrapper ?? of.kind,
      schema: of.schema,
    });
  }

  #problems(of: EntryKind, source: EntrySource, problems: readonly DocumentProblem[]): Error {
    if (!("document" in source)) return new DocumentError(of.kind, problems);
    const { document: text, file } = source;
    const located = this.#deps.documents.locate(
      { text, wrapper: of.wrapper ?? of.kind, schema: of.schema },
      problems,
    );
    return new DocumentError(file, located);
  }

  async #resolve(reference: Reference, kind: RegistryKind, self: string): Promise<string> {
    const known = await this.#deps.known(reference.kind, reference.name);
    if (known !== undefined) return known;
    const full = fullName(reference.name);
    if (reference.kind === kind && full === self) return full;
    if ((await this.#deps.registry.find(reference.kind, full)) !== undefined) return full;
    throw await this.#notFound(reference.kind, full);
  }

  async #assertNoCircle(
    of: EntryKind,
    name: string,
    document: JsonObject,
    fail: (problems: readonly DocumentProblem[]) => Error,
  ): Promise<void> {
    const own = of.references?.(document) ?? [];
    if (!own.some(({ acyclic }) => acyclic === true)) return;
    const others = new Map(
      (await this.#deps.registry.list(of.kind)).map((entry) => [
        entry.name,
        of.references?.(entry.document) ?? [],
      ]),
    );
    others.set(name, own);
    const circle = circleThrough(name, of.kind, (at) => others.get(at) ?? []);
    if (circle !== undefined)
      throw fail([{ path: circle.first.path, problem: `leads in a circle: ${circle.names.join(" → ")}` }]);
  }

  #kind(kind: RegistryKind): EntryKind {
    const found = this.#deps.kinds.find((one) => one.kind === kind);
    if (found === undefined) throw new Error(`no kind ${kind}`);
    return found;
  }

  async #notFound(kind: RegistryKind, name: string): Promise<EntryNotFoundError> {
    return new EntryNotFoundError(
      kind,
      name,
      (await this.#deps.registry.list(kind)).map((known) => known.name),
    );
  }

  #inTurn<T>(change: () => Promise<T>): Promise<T> {
    const turn = this.#last.then(change);
    this.#last = turn.catch(() => undefined);
    return turn;
  }
}

/** What somebody has seen, by its content. */
export async function revisionOf({ document }: Pick<RegistryEntry, "document">): Promise<string> {
  return `sha256:${await digestOfJson(document)}`;
}

async function assertRevision(entry: RegistryEntry, revision: string | undefined): Promise<void> {
  if (revision !== undefined && revision !== (await revisionOf(entry)))
    throw new EntryChangedError(entry.kind, entry.name);
}

function checked(of: EntryKind, value: JsonObject): { readonly name: string } {
  const parsed = of.schema.safeParse(value);
  if (parsed.success) return parsed.data;
  throw new ProtocolError("InvalidParams", {
    violations: parsed.error.issues.map(({ path, message }) => ({
      field: path.join("."),
      description: message,
    })),
  });
}

function wordsOf({ entry }: { readonly entry: RegistryEntry }): string {
  const { kind, document, name } = entry;
  if (kind === "attachment") return `its attachment to the ${document["scope"]} ${document["target"]}`;
  if (kind === "invariant") return `the invariant "${String(document["text"])}"`;
  return `the ${inWords(kind)} ${name}`;
}
