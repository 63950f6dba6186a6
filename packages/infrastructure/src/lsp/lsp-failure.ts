import { ToolError } from "@cleveragents/application";
import type { JsonObject } from "@cleveragents/domain";

/** Why a language server was no help; the texts are for models as much as for people. */
export type LspReason =
  | "LSP_NO_SERVER"
  | "LSP_NOT_STARTED"
  | "LSP_CRASHED"
  | "LSP_DISABLED"
  | "LSP_TIMEOUT"
  | "LSP_REFUSED"
  | "LSP_UNSUPPORTED"
  | "LSP_EDIT_REFUSED"
  | "LSP_EDIT_STALE"
  | "LSP_NOTHING_TO_DO"
  | "INVALID_ARGUMENTS"
  | "CANCELLED";

export function lspFailure(
  reason: LspReason,
  message: string,
  details: JsonObject = {},
  options?: ErrorOptions,
): ToolError {
  return new ToolError(reason, message, details, options);
}
