import {
  canonicalName,
  EntryNotFoundError,
  type LspServer,
  type LspServerDocument,
  LspServerSchema,
  lspServerFrom,
  type Project,
} from "@cleveragents/domain";
import type { IdGenerator } from "../ports/clock.ts";
import type { CodeIntelligence, LspTested } from "../ports/code-intelligence.ts";
import type { RegistryStore } from "../ports/registry-store.ts";
import type { Workspace } from "../ports/workspace.ts";

export interface LspServiceDeps {
  readonly registry: Pick<RegistryStore, "find" | "list">;
  readonly workspace: Pick<Workspace, "create" | "release">;
  readonly intelligence: Pick<CodeIntelligence, "test">;
  readonly ids: IdGenerator;
}

/** The language servers that are registered, by name; what cannot be read any more is left out. */
export async function registeredLspServers(
  registry: Pick<RegistryStore, "list">,
): Promise<readonly LspServer[]> {
  const entries = await registry.list("lsp");
  return entries
    .flatMap(({ name, document }) => {
      const read = LspServerSchema.safeParse(document);
      return read.success ? [lspServerFrom({ ...read.data, name })] : [];
    })
    .sort((a, b) => (a.name < b.name ? -1 : 1));
}

/** Tries registered language servers. */
export class LspService {
  readonly #deps: LspServiceDeps;

  constructor(deps: LspServiceDeps) {
    this.#deps = deps;
  }

  /**
   * Starts it on a copy of the project, or in an empty folder, and stops it. Throws `EntryNotFoundError`,
   * `WorkspaceError`, and what {@link CodeIntelligence.test} throws.
   */
  async test(
    given: string,
    project: string | undefined,
    signal: AbortSignal,
  ): Promise<LspTested & { readonly name: string }> {
    const { workspace, intelligence, ids } = this.#deps;
    const { name, document } = await this.#find("lsp", given);
    const server = lspServerFrom({ ...(document as unknown as LspServerDocument), name });
    if (project === undefined) return { name, ...(await intelligence.test(server, undefined, signal)) };
    const { path } = (await this.#find("project", project)).document as unknown as Project;
    // As a plan does it: a server may write to where it works, and that is never the project.
    const copyId = ids.next();
    try {
      const sandbox = await workspace.create(copyId, path, signal);
      return { name, ...(await intelligence.test(server, sandbox, signal)) };
    } finally {
      await workspace.release(copyId);
    }
  }

  async #find(kind: "lsp" | "project", given: string) {
    const { registry } = this.#deps;
    const name = canonicalName(given);
    const entry = await registry.find(kind, name);
    if (entry !== undefined) return entry;
    const known = await registry.list(kind);
    throw new EntryNotFoundError(
      kind,
      name,
      known.map((one) => one.name),
    );
  }
}
