import type { DocumentProblem, JsonObject, RegistryKind } from "@cleveragents/domain";
import type { z } from "zod";

/** What an entry names of others. */
export interface Reference {
  /** Where in the document: `includes.2`. */
  readonly path: string;
  readonly kind: RegistryKind;
  readonly name: string;
  /** Entries of one kind that name each other so may not do it in a circle. */
  readonly acyclic?: true;
  /** It need not be there yet, but what is there is needed. */
  readonly unchecked?: true;
  /** The whole entry is about what it names, and goes with it. */
  readonly partOf?: true;
}

/** One kind of what can be registered. `T` is what its schema reads; kept is its JSON, with references in full. */
export interface EntryKind<T extends { readonly name: string } = { readonly name: string }> {
  readonly kind: RegistryKind;
  /** The key that its document may stand below; the kind's own name when absent. */
  readonly wrapper?: string;
  readonly schema: z.ZodType<T>;
  /** Before it is kept: what its schema cannot do. Throws what has to be told otherwise than as a problem of a place. */
  readonly prepare?: (
    read: T,
    /** The file that it stands in, if it is one. */
    file?: string,
  ) => Promise<{ readonly document: object; readonly problems: readonly DocumentProblem[] }>;
  /** Of what is kept. */
  readonly references?: (document: JsonObject) => readonly Reference[];
  /** What `add` takes, of what is kept; the same when absent. */
  readonly written?: (document: JsonObject) => JsonObject;
}

/** A kind with its type put away, for lists of them. */
export function entryKind<T extends { readonly name: string }>(kind: EntryKind<T>): EntryKind {
  return kind as unknown as EntryKind; // what `prepare` gets is what the same kind's schema has read
}
