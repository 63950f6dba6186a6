import type { CompiledQuery, Kysely } from "kysely";
import type { Tables } from "./tables.ts";

/** What a store of few and simple rows needs of its database, the same on every one. */
export interface StoreQueries {
  /** Builds queries, and does not execute them. */
  readonly queries: Kysely<Tables>;
  rows<Row>(query: { compile(): CompiledQuery<Row> }): readonly Row[] | Promise<readonly Row[]>;
  /** Carries a change out, as a transaction of its own. */
  change(query: { compile(): CompiledQuery }): Changed | Promise<Changed>;
}

export interface Changed {
  /** How many rows. */
  readonly changed: number;
  /** Whether the answer to a first attempt was lost: what is there already may be that attempt's. */
  readonly repeated: boolean;
}
