import type { Migration } from "kysely/migration";
import { stores } from "./0001-stores.ts";

/**
 * One migration per version of the schema, in order, for every dialect; version n is what the first n of them leave.
 * A migration that was released is never edited: a correction is the next one.
 */
export const migrations: Readonly<Record<string, Migration>> = {
  "0001-stores": stores,
};
