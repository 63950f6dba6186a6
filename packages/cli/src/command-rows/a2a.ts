import type { CommandRow } from "../command/command-row.ts";

/** Commands that speak to any A2A agent, as the a2a-cli specification has them; they belong to no method of ours. */
export const a2aCommands: readonly CommandRow[] = [
  {
    path: ["a2a", "card", "get"],
    summary: "The card of any A2A agent.",
    details:
      "AGENT is an agent's address, that of its card, or a file. stdout gets the card as it came.\n" +
      "--validate holds it against the schema of each version of A2A that it is of, and checks its signature\n" +
      "with the keys in FILE, else with those that the signature names.",
    positionals: [
      {
        name: "AGENT",
        summary: "https://agents.example, an address of a card, or ./card.json",
        optional: true,
      },
    ],
    flags: {
      "agent-card": { type: "string", value: "REF", summary: "the same as AGENT", env: "A2ACLI_AGENT_CARD" },
      validate: { type: "boolean", summary: "check schema and signature; exit code 1 if one is wrong" },
      key: { type: "string", value: "FILE", summary: "public keys to trust: JWK, JWKS or PEM" },
      extended: { type: "boolean", summary: "the card for known callers, with a credential" },
      bearer: { type: "string", value: "TOKEN", summary: "a token to show", env: "A2ACLI_BEARER" },
      "api-key": { type: "string", value: "KEY", summary: "an API key to show", env: "A2ACLI_API_KEY" },
      "a2a-version": {
        type: "string",
        value: "V",
        choices: ["1.0", "0.3"],
        default: "1.0",
        summary: "the version to ask for",
      },
    },
    examples: [
      { command: "agents a2a card get https://agents.example" },
      { command: "agents a2a card get https://agents.example --validate -o json" },
      { command: "agents a2a card get http://localhost:8000 --extended --bearer TOKEN" },
    ],
    seeAlso: ["help exit-codes"],
    load: () => import("../commands/a2a-card-get.ts"),
  },
];
