import type { z } from "zod";
import type { Scope } from "../authenticator.ts";
import type { ErrorName } from "../errors/error-catalog.ts";

/** How a standard method is asked for over HTTP+JSON (A2A §11.3). `{name}` in the path is a parameter. */
export interface RestBinding {
  readonly verbs: readonly ("GET" | "POST" | "DELETE")[];
  readonly path: string;
  /** Where A2A 0.3 has it elsewhere than below `/v1`; null where 0.3 does not have it. */
  readonly legacyPath?: string | null;
}

/** One row of the method table: everything that is the same for every transport, client and page. */
export interface MethodRow {
  readonly name: string;
  readonly group:
    | "task"
    | "push"
    | "card"
    | "plan"
    | "registry"
    | "invariant"
    | "session"
    | "event"
    | "auth"
    | "health"
    | "profile"
    | "policy"
    | "sandbox"
    | "trust"
    | "usage";
  /** Shape of errors and which versions it is served under: A2A's own, or the platform's (under every version). */
  readonly family: "a2a" | "cleveragents";
  readonly kind: "unary" | "stream";
  readonly params: z.ZodType;
  readonly result: z.ZodType;
  /** Errors that this method itself answers; those of the envelope and of the version go without saying. */
  readonly errors: readonly ErrorName[];
  readonly scope: Scope;
  readonly summary: string;
  /** Standard methods only; the platform's own are `POST` to their name. */
  readonly rest?: RestBinding;
  /** Older names that are served by the same handler. */
  readonly aliases?: readonly string[];
}

export function defineMethod<const R extends MethodRow>(row: R): R {
  return row;
}
