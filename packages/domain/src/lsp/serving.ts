import { pathsAgainst } from "../validation/path-rule.ts";
import { languageOf } from "./languages.ts";
import type { LspCapability, LspServer } from "./lsp-server-schema.ts";

/** The language that a server is told a file has; undefined if it does not serve it. */
export function servedAs(server: LspServer, file: string): string | undefined {
  const language = languageOf(file);
  if (language !== undefined && server.languages.includes(language)) return language;
  const named =
    server.filePatterns.length > 0 && pathsAgainst({ deny: [...server.filePatterns] }, [file]).length > 0;
  return named ? (server.languages[0] as string) : undefined;
}

/** Who is asked about a file, the first that serves it and is to be asked for this; undefined if nobody is. */
export function serverFor(
  servers: readonly LspServer[],
  file: string,
  capability: LspCapability,
): LspServer | undefined {
  return servers.find(
    (server) => server.capabilities.includes(capability) && servedAs(server, file) !== undefined,
  );
}
