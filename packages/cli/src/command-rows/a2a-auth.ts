import type { CommandRow } from "../command/command-row.ts";
import { agentFlags, callFlags } from "./a2a-flags.ts";
import { oauthFlags } from "./server.ts";

const AGENT = {
  name: "AGENT",
  summary: "https://agents.example, an address of a card, or ./card.json",
  optional: true,
} as const;

/** Credentials for any agent, and whether it is one (a2a-cli §7.1). */
export const a2aAuthCommands: readonly CommandRow[] = [
  {
    path: ["a2a", "auth", "login"],
    summary: "Sign in at any A2A agent whose card declares OAuth or OpenID Connect.",
    details:
      "device tells an address and a code for a browser anywhere; authorization-code needs one on this machine;\n" +
      "client-credentials needs a secret and nobody. The token is kept in a file of yours alone, for this card\n" +
      "alone, sent by later commands, and renewed where the issuer allows it. Flags and variables stand over it.",
    positionals: [AGENT],
    flags: {
      ...agentFlags,
      ...oauthFlags,
      "client-id": { ...oauthFlags["client-id"], env: "A2ACLI_CLIENT_ID" },
      "client-secret-file": { ...oauthFlags["client-secret-file"], env: "A2ACLI_CLIENT_SECRET" },
    },
    examples: [
      { command: "agents a2a auth login https://agents.example --client-id agents-cli" },
      {
        command:
          "agents a2a auth login https://agents.example --flow client-credentials --client-id ci --client-secret-file -",
      },
    ],
    seeAlso: ["a2a auth logout", "help any-agent"],
    load: () => import("../commands/a2a-auth-login.ts"),
  },
  {
    path: ["a2a", "auth", "logout"],
    summary: "Forget what a2a auth login has kept.",
    positionals: [AGENT],
    flags: agentFlags,
    examples: [{ command: "agents a2a auth logout https://agents.example" }],
    seeAlso: ["a2a auth login", "logout"],
    load: () => import("../commands/a2a-auth-logout.ts"),
  },
  {
    path: ["a2a", "conformance"],
    summary: "Whether any A2A agent does what every one has to do.",
    details:
      "Sends messages, so tasks are made there. A few questions over one binding, not the whole test kit\n" +
      "(a2aproject/a2a-tck). Exit code 1 when one is answered wrongly.",
    positionals: [AGENT],
    flags: { ...callFlags, text: { type: "string", value: "T", default: "hello", summary: "what to send" } },
    examples: [
      { command: "agents a2a conformance https://agents.example" },
      { command: "agents a2a conformance http://localhost:8000 --transport HTTP+JSON -o json" },
    ],
    seeAlso: ["a2a card get", "help any-agent"],
    load: () => import("../commands/a2a-conformance.ts"),
  },
];
