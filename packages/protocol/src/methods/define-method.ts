import type { z } from "zod";
import type { Scope } from "../authenticator.ts";
import type { ErrorName } from "../errors/error-catalog.ts";

/** One row of the method table: everything that is the same for every transport, client and page. */
export interface MethodRow {
  readonly name: string;
  readonly group: "task" | "plan" | "registry" | "session" | "health";
  /** Shape of errors and which versions it is served under: A2A's own, or the platform's (under every version). */
  readonly family: "a2a" | "cleveragents";
  readonly kind: "unary" | "stream";
  readonly params: z.ZodType;
  readonly result: z.ZodType;
  /** Errors that this method itself answers; those of the envelope and of the version go without saying. */
  readonly errors: readonly ErrorName[];
  readonly scope: Scope;
  readonly summary: string;
  /** Older names that are served by the same handler. */
  readonly aliases?: readonly string[];
}

export function defineMethod<const R extends MethodRow>(row: R): R {
  return row;
}
