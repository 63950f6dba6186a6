import type { JsonObject, RegistryKind } from "@cleveragents/domain";

export interface RegistryEntry {
  readonly kind: RegistryKind;
  /** Full name, `namespace/name`. */
  readonly name: string;
  readonly document: JsonObject;
  readonly createdAt: number;
  readonly updatedAt: number;
}

/** Named documents: actions, projects, actors, tools, skills and the like. */
export interface RegistryStore {
  /** Throws the domain's `EntryExistsError` if the name is taken. Durable when it answers. */
  add(entry: RegistryEntry): Promise<void>;
  /**
   * Throws the domain's `EntryNotFoundError`; with `seen`, its `EntryChangedError` if another document is there by now.
   * Durable when it answers; nobody ever finds the entry missing meanwhile.
   */
  replace(entry: RegistryEntry, seen?: Pick<RegistryEntry, "document">): Promise<void>;
  /** Throws as `replace`. Durable when it answers. */
  remove(kind: RegistryKind, name: string, seen?: Pick<RegistryEntry, "document">): Promise<void>;
  find(kind: RegistryKind, name: string): Promise<RegistryEntry | undefined>;
  /** By name, ascending. */
  list(kind: RegistryKind): Promise<readonly RegistryEntry[]>;
}
