import type { Executable } from "@cleveragents/application";
import { type JsonObject, type LspServer, LspServerSchema, lspServerFrom } from "@cleveragents/domain";

/** What is started of a server: what somebody consents to who trusts it. */
export function executableOf({ name, command, args, env: environment }: LspServer): Executable {
  return { kind: "lsp", name, command, args, environment };
}

/** The same of a registered document. */
export async function lspExecutable(document: JsonObject): Promise<Executable> {
  return executableOf(lspServerFrom(LspServerSchema.parse(document)));
}
