import type { FlagSpec, Flags, PositionalSpec } from "../command/command-row.ts";

export const PLAN: PositionalSpec = {
  name: "ID",
  summary: "the plan's id, or at least six characters that begin or end it",
};
export const NAME: PositionalSpec = { name: "NAME", summary: "a registered name, such as local/fix-tests" };
export const FILE: PositionalSpec = { name: "FILE", summary: "a YAML or JSON file; - reads it from stdin" };
export const PAGE = {
  "page-size": { type: "number", value: "N", summary: "entries of one page, at most 500" },
  "page-token": { type: "string", value: "T", summary: "the page that a former answer named" },
} as const satisfies Flags;
export const REGISTRY_PAGE = {
  namespace: { type: "string", value: "NS", summary: "only names of this namespace" },
  ...PAGE,
} as const satisfies Flags;
/** The documents' way to name the file. */
export const CONFIG: FlagSpec = { type: "string", value: "FILE", summary: "the same as FILE" };
export const PROJECT_FILE: FlagSpec = {
  type: "string",
  value: "FILE",
  summary: "its YAML or JSON file, in place of the other flags; - reads it from stdin",
};
export const UPDATE: FlagSpec = { type: "boolean", summary: "replace what has this name" };
export const TRUST: FlagSpec = {
  type: "boolean",
  summary: "consent to what it starts, exactly as it is now",
};
/** A server's file, or its name and what starts it. */
export const TYPED_SERVER: readonly PositionalSpec[] = [
  { name: "FILE", summary: "a YAML or JSON file; - reads it from stdin; before -- the NAME", optional: true },
  { name: "COMMAND", summary: "after -- in place of a file: what is started", optional: true, many: true },
];

export const ENV: FlagSpec = {
  type: "list",
  value: "K=V",
  summary: "a variable for it, kept in its document; again for more",
};
export const DESCRIPTION: FlagSpec = { type: "string", value: "T", summary: "what it is" };
export const NETWORK: FlagSpec = { type: "boolean", summary: "it may use the network, where it is isolated" };
