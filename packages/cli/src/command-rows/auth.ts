import type { MethodName } from "@cleveragents/protocol";
import type { CommandRow } from "../command/command-row.ts";
import { PAGE } from "./reused-specs.ts";

export const authRows = {
  "_cleveragents/auth/key/create": {
    path: ["auth", "key", "create"],
    summary: "Make an API key for a caller over HTTP; it is shown once.",
    positionals: [{ name: "NAME", summary: "what lists call it" }],
    flags: {
      principal: { type: "string", value: "P", summary: "whose tasks its callers see (default: its own)" },
      scope: {
        type: "list",
        value: "S",
        summary: "what they may do, e.g. task:read (default: all but keys)",
      },
      tenant: { type: "list", value: "T", summary: "a tenant that they may name; again for more" },
      "expires-in-days": { type: "number", value: "N", summary: "ends it by itself" },
    },
    examples: [
      { command: "agents auth key create ci --expires-in-days 90" },
      {
        command: "agents auth key create dashboard --scope task:read -o name",
        comment: "the key alone",
      },
    ],
    seeAlso: ["auth key list", "auth key revoke"],
    load: () => import("../commands/auth-key-create.ts"),
  },
  "_cleveragents/auth/key/list": {
    path: ["auth", "key", "list"],
    summary: "The API keys of the server, never their secrets.",
    flags: PAGE,
    examples: [{ command: "agents auth key list" }, { command: "agents auth key list -o json" }],
    seeAlso: ["auth key create", "auth key revoke"],
    load: () => import("../commands/auth-key-list.ts"),
  },
  "_cleveragents/auth/key/revoke": {
    path: ["auth", "key", "revoke"],
    summary: "End an API key at once.",
    positionals: [{ name: "ID", summary: "the key's id" }],
    examples: [{ command: "agents auth key revoke 3f9c1e2aabbccdde" }],
    seeAlso: ["auth key list"],
    load: () => import("../commands/auth-key-revoke.ts"),
  },
} as const satisfies Partial<Record<MethodName, CommandRow>>;
