import { a2aError } from "./a2a-errors.ts";
import { refusal } from "./agent-errors.ts";
import type { CardFacts, CardInterface } from "./card-facts.ts";
import type { A2aVersion } from "./operations.ts";

export type Binding = "JSONRPC" | "HTTP+JSON";

export interface ChosenInterface extends CardInterface {
  readonly binding: Binding;
  readonly speaks: A2aVersion;
}

export interface Preference {
  readonly version: A2aVersion;
  /** The dearest first; a binding that the card does not offer is passed over. */
  readonly bindings: readonly string[];
}

const BINDINGS: Readonly<Record<string, Binding>> = {
  JSONRPC: "JSONRPC",
  "JSON-RPC": "JSONRPC",
  "HTTP+JSON": "HTTP+JSON",
  REST: "HTTP+JSON",
};

/** A binding by any of its usual spellings; undefined for one that is not spoken here, e.g. GRPC. */
export function bindingOf(text: string): Binding | undefined {
  const word = text.toUpperCase();
  return Object.hasOwn(BINDINGS, word) ? BINDINGS[word] : undefined;
}

/**
 * The interface to speak to: the caller's preference, then the card's order (A2A §8.3.2). Versions are never mixed: 0.3 is
 * spoken only where it was asked for.
 */
export function chooseInterface(
  { interfaces }: CardFacts,
  { version, bindings }: Preference,
): ChosenInterface {
  const spoken = interfaces.flatMap((one): ChosenInterface[] => {
    const binding = bindingOf(one.binding);
    return binding === undefined ? [] : [{ ...one, binding, speaks: version }];
  });
  if (spoken.length === 0)
    throw a2aError("UNREACHABLE", "the card lists no interface that this command speaks", {
      hint: "it speaks JSONRPC and HTTP+JSON of A2A 1.0 and 0.3",
    });
  const fitting = spoken.filter((one) => one.version === version || one.version.startsWith(`${version}.`));
  for (const wanted of bindings) {
    const found = fitting.find(({ binding }) => binding === bindingOf(wanted));
    if (found !== undefined) return found;
  }
  if (fitting[0] !== undefined) return fitting[0];
  const offered = [...new Set(spoken.map((one) => one.version))].join(", ");
  throw refusal("VersionNotSupportedError", `the agent offers A2A ${offered}, not ${version}`, {
    hint: spoken.some((one) => one.version.startsWith("0.3"))
      ? "say that the older version is meant: --a2a-version 0.3"
      : "agents a2a card get shows what it offers",
  });
}
