import { PLATFORM_EXTENSION } from "../extensions.ts";
import type { MethodRow } from "../methods/define-method.ts";
import { methods } from "../methods/method-table.ts";

/**
 * The specification of the platform's extension, as Markdown: what an implementer needs beside the OpenRPC document,
 * which has the shapes.
 */
export function describePlatform(): string {
  const rows = Object.values<MethodRow>(methods).filter(({ family }) => family === "cleveragents");
  return [
    `# ${PLATFORM_EXTENSION}`,
    "",
    "Version 1.0. Methods of CleverAgents beside those of A2A (A2A §4.6). Shapes of parameters and results, and every error, stand in the",
    "OpenRPC document `openrpc.json` that this agent serves.",
    "",
    "- Calling one of these methods activates the extension; naming its URI in `A2A-Extensions` is not needed. It is required of nobody.",
    "- The methods are the same under A2A 1.0 and 0.3. Over JSON-RPC they go by name; over HTTP+JSON each is a `POST` to its name below the",
    "  binding's address, with the parameters as the body.",
    "- Later versions of 1 only add. A breaking change has another URI; a call that names only other versions of this one is refused with",
    "  `VERSION_MISMATCH`.",
    "- Lists are `{ <plural>, total, next_page_token }`; the token is empty on the last page.",
    "- Errors have `data` with `reason`, `request_id`, `timestamp`, the ids that they are about, at times a `hint`, and `details`",
    "  (`google.rpc.ErrorInfo`, domain `cleveragents`). Branch on `reason`.",
    "",
    "| method | kind | scope | errors | |",
    "|---|---|---|---|---|",
    ...rows.map(toLine),
    "",
  ].join("\n");
}

function toLine({ name, kind, scope, errors, summary, aliases = [] }: MethodRow): string {
  const names = [name, ...aliases].map((spelling) => `\`${spelling}\``).join(", ");
  return `| ${names} | ${kind} | \`${scope}\` | ${errors.join(", ")} | ${summary} |`;
}
