import { REDACTED, secretsOf } from "../process/secret-redactor.ts";
import { redactText } from "../telemetry/redact.ts";
import type { Environment } from "./node-host-diagnostics.ts";

/** What this product reads, and what changes how programs behave. */
const OURS =
  /^(CLEVERAGENTS_\w+|A2A_\w+|API_KEY|LOG_LEVEL|DATABASE_\w+|SESSION_TIMEOUT|MAX_CONCURRENT_SESSIONS|PATH|SHELL|LANG|LC_ALL|TERM|TMPDIR|NODE_OPTIONS|NODE_EXTRA_CA_CERTS|(HTTPS?|NO|ALL)_PROXY)$/i;

/** Variables that matter, with their values unless those are secret. */
export function environmentText(env: Environment): string {
  const names = Object.keys(env).filter((name) => OURS.test(name) && env[name] !== undefined);
  return names
    .sort()
    .map((name) => {
      const value = env[name] ?? "";
      const isSecret = /^DATABASE_URL$/i.test(name) || secretsOf({ [name]: value.padEnd(8, "_") }).length > 0;
      return `${name}=${isSecret && value !== "" ? REDACTED : redactText(value)}\n`;
    })
    .join("");
}
