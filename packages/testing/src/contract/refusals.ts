import {
  type ErrorName,
  errorCatalog,
  type MethodName,
  type MethodOf,
  RemoteError,
} from "@cleveragents/protocol";
import { expect, test } from "vitest";
import type { World } from "../world/world.ts";

type Attempt = (world: World) => Promise<unknown>;
/** What is tried, in words → how. `reason` where the answer's is more exact than the catalogue's. */
type Attempts = Readonly<Record<string, Attempt | { readonly reason: string; readonly attempt: Attempt }>>;

/** Every error that the method's row declares; one that is missing does not compile. */
export type Refusals<M extends MethodName> = { readonly [E in MethodOf<M>["errors"][number]]: Attempts };

/** The tests of a method's errors. Call it in the method's own `describe`. */
export function refusals<M extends MethodName>(_method: M, world: () => World, cases: Refusals<M>): void {
  for (const [error, attempts] of Object.entries(cases) as [ErrorName, Attempts][]) {
    for (const [what, how] of Object.entries(attempts)) {
      const { attempt, reason } = typeof how === "function" ? { attempt: how, reason: undefined } : how;
      test(`${what} is ${error}`, async () => {
        expect(await refusalOf(attempt(world()))).toEqual(asRefusal(error, reason));
      });
    }
  }
}

export interface Refusal {
  readonly code: number;
  readonly reason: string;
}

export function asRefusal(error: ErrorName, reason: string = errorCatalog[error].reason): Refusal {
  return { code: errorCatalog[error].code, reason };
}

/** How a call was refused. Fails the test where it was not, or where the connection failed instead. */
export async function refusalOf(call: Promise<unknown>): Promise<Refusal> {
  try {
    const result = await call;
    throw new Error(`it was not refused but answered ${JSON.stringify(result)}`);
  } catch (error) {
    if (!RemoteError.is(error)) throw error;
    return { code: error.code, reason: error.reason };
  }
}

/** Reads a stream to its end. */
export async function drain<T>(items: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = [];
  for await (const item of items) all.push(item);
  return all;
}
