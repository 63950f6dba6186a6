import { closeSync, openSync } from "node:fs";
import { DatabaseCorruptError } from "./database-errors.ts";
import { translateError } from "./translate-error.ts";

/** Beside the database file: damage was met, or somebody wants to know; the next start checks the file in full. */
export function checkRequestOf(path: string): string {
  return `${path}.check`;
}

/** What a statement failed with, as one of our errors; damage that is met is written down for the next start. */
export function failureOf(error: unknown, path: string): unknown {
  const failure = translateError(error, path);
  if (failure instanceof DatabaseCorruptError) {
    try {
      closeSync(openSync(checkRequestOf(path), "a", 0o600));
    } catch {
      // The quick check of the next start has to find it.
    }
  }
  return failure;
}
