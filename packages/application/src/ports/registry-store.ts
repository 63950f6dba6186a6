import type { JsonObject, RegistryKind } from "@cleveragents/domain";

export interface RegistryEntry {
  readonly kind: RegistryKind;
  /** Full name, `namespace/name`. */
  readonly name: string;
  readonly document: JsonObject;
  readonly createdAt: number;
  readonly updatedAt: number;
}

/** Named documents: actions, projects, actors, automation profiles. */
export interface RegistryStore {
  /** Throws the domain's `EntryExistsError` if the name is taken. Durable when it answers. */
  add(entry: RegistryEntry): Promise<void>;
  /** Throws the domain's `EntryNotFoundError`. */
  replace(entry: RegistryEntry): Promise<void>;
  /** Throws the domain's `EntryNotFoundError`. Durable when it answers. */
  remove(kind: RegistryKind, name: string): Promise<void>;
  find(kind: RegistryKind, name: string): Promise<RegistryEntry | undefined>;
  /** By name, ascending. */
  list(kind: RegistryKind): Promise<readonly RegistryEntry[]>;
}
