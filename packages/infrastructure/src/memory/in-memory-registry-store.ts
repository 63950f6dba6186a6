import type { RegistryEntry, RegistryStore } from "@cleveragents/application";
import {
  EntryChangedError,
  EntryExistsError,
  EntryNotFoundError,
  type JsonObject,
  type RegistryKind,
} from "@cleveragents/domain";

/** Named documents of one process, gone with it. */
export class InMemoryRegistryStore implements RegistryStore {
  readonly #kinds = new Map<RegistryKind, Map<string, string>>();

  async add(entry: RegistryEntry): Promise<void> {
    const entries = this.#of(entry.kind);
    if (entries.has(entry.name)) throw new EntryExistsError(entry.kind, entry.name);
    entries.set(entry.name, toText(entry));
  }

  async replace(entry: RegistryEntry, seen?: Pick<RegistryEntry, "document">): Promise<void> {
    const entries = this.#of(entry.kind);
    if (!entries.has(entry.name))
      throw new EntryNotFoundError(entry.kind, entry.name, [...entries.keys()].sort());
    this.#assertSeen(entry.kind, entry.name, seen);
    entries.set(entry.name, toText(entry));
  }

  async remove(kind: RegistryKind, name: string, seen?: Pick<RegistryEntry, "document">): Promise<void> {
    const entries = this.#of(kind);
    if (!entries.has(name)) throw new EntryNotFoundError(kind, name, [...entries.keys()].sort());
    this.#assertSeen(kind, name, seen);
    entries.delete(name);
  }

  #assertSeen(kind: RegistryKind, name: string, seen: Pick<RegistryEntry, "document"> | undefined): void {
    if (seen === undefined) return;
    const { document } = JSON.parse(this.#of(kind).get(name) as string) as Kept; // the caller has looked
    if (JSON.stringify(document) !== JSON.stringify(seen.document)) throw new EntryChangedError(kind, name);
  }

  async find(kind: RegistryKind, name: string): Promise<RegistryEntry | undefined> {
    const text = this.#of(kind).get(name);
    return text === undefined ? undefined : fromText(kind, name, text);
  }

  async list(kind: RegistryKind): Promise<readonly RegistryEntry[]> {
    return [...this.#of(kind)]
      .sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0))
      .map(([name, text]) => fromText(kind, name, text));
  }

  #of(kind: RegistryKind): Map<string, string> {
    const entries = this.#kinds.get(kind) ?? new Map<string, string>();
    this.#kinds.set(kind, entries);
    return entries;
  }
}

interface Kept {
  readonly document: JsonObject;
  readonly createdAt: number;
  readonly updatedAt: number;
}

function toText({ document, createdAt, updatedAt }: RegistryEntry): string {
  return JSON.stringify({ document, createdAt, updatedAt } satisfies Kept);
}

function fromText(kind: RegistryKind, name: string, text: string): RegistryEntry {
  return { kind, name, ...(JSON.parse(text) as Kept) };
}
