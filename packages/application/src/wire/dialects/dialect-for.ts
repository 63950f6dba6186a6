import type { CallContext } from "@cleveragents/protocol";
import type { Dialect } from "./dialect.ts";
import { documents } from "./documents/index.ts";
import { v1 } from "./v1/index.ts";
import { v03Rest } from "./v03-rest/index.ts";

export type Encoding = NonNullable<CallContext["encoding"]>;

const DIALECTS: Readonly<Record<Dialect["version"], Readonly<Record<Encoding, Dialect>>>> = {
  "1.0": { "json-rpc": v1, "http+json": v1 },
  "0.3": { "json-rpc": documents, "http+json": v03Rest },
};

export function dialectFor(version: Dialect["version"], encoding: Encoding = "json-rpc"): Dialect {
  return DIALECTS[version][encoding];
}
