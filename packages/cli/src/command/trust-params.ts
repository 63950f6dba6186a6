import { usageError } from "../cli-error.ts";
import type { Invocation } from "./command.ts";

const KINDS = ["mcp", "lsp", "skill", "tool"] as const;

/** KIND, NAME and `--digest` of the commands about trust. */
export function trustParams({ values }: Invocation) {
  const given = values.positional("KIND");
  const kind = KINDS.find((known) => known === given);
  if (kind === undefined) throw usageError(`KIND is one of ${KINDS.join(", ")}, not "${given}"`);
  return { kind, name: values.positional("NAME"), digest: values.text("digest") };
}
