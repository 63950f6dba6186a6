import {
  type ToolContext,
  type ToolDescriptor,
  ToolError,
  type ToolProvider,
  type ToolResult,
  TrustRequiredError,
} from "@cleveragents/application";
import { boundServers, type JsonObject, type LspBinding, type LspServer } from "@cleveragents/domain";
import type { LspRuntime } from "./lsp-runtime.ts";
import { languagesIn } from "./project-walk.ts";
import { codeActionsTool } from "./tools/code-actions.ts";
import { completionsTool } from "./tools/completions.ts";
import { diagnosticsTool } from "./tools/diagnostics.ts";
import { formatTool } from "./tools/format.ts";
import { hoverTool } from "./tools/hover.ts";
import { definitionTool, referencesTool } from "./tools/locate.ts";
import type { LspTool } from "./tools/lsp-tool.ts";
import { renameTool } from "./tools/rename.ts";
import { signatureTool } from "./tools/signature.ts";
import { symbolsTool, workspaceSymbolsTool } from "./tools/symbols.ts";

const TOOLS: readonly LspTool[] = [
  diagnosticsTool,
  hoverTool,
  definitionTool,
  referencesTool,
  completionsTool,
  signatureTool,
  symbolsTool,
  workspaceSymbolsTool,
  renameTool,
  codeActionsTool,
  formatTool,
];

const BY_NAME: ReadonlyMap<string, LspTool> = new Map(
  TOOLS.flatMap((tool) =>
    [tool.descriptor.name, ...(tool.descriptor.aliases ?? [])].map((name) => [name, tool] as const),
  ),
);

export interface LSPToolAdapterDeps {
  readonly runtime: LspRuntime;
  /** Which servers may be asked; all that are registered when absent. */
  readonly binding?: LspBinding | undefined;
}

/**
 * What language servers can be asked, as tools. The names say nothing of a server: a call goes to the one that serves the
 * language of its file. Listing starts nothing; a server is started by the first call that needs it.
 */
export class LSPToolAdapter implements ToolProvider {
  readonly #runtime: LspRuntime;
  readonly #binding: LspBinding | undefined;

  constructor({ runtime, binding }: LSPToolAdapterDeps) {
    this.#runtime = runtime;
    this.#binding = binding;
  }

  /** The same tools for whoever is bound to some of the servers. */
  bound(binding: LspBinding): LSPToolAdapter {
    return new LSPToolAdapter({ runtime: this.#runtime, binding });
  }

  list(): readonly ToolDescriptor[] {
    return TOOLS.map(({ descriptor }) => descriptor);
  }

  async call(name: string, args: JsonObject, context: ToolContext): Promise<ToolResult> {
    const tool = BY_NAME.get(name);
    if (tool === undefined) throw new ToolError("UNKNOWN_TOOL", `there is no tool ${name}`);
    const { planId, sandbox, signal, readOnly = false } = context;
    if (readOnly && !tool.descriptor.readOnly && tool !== codeActionsTool)
      throw new ToolError("READ_ONLY", `${name} would change the sandbox, which can only be read now`);
    if (signal.aborted) throw new ToolError("CANCELLED", `${name} was cancelled`);
    const servers = await this.#servers(sandbox.root);
    try {
      return await tool.call(args, { runtime: this.#runtime, servers, planId, sandbox, signal, readOnly });
    } catch (error) {
      if (!(error instanceof TrustRequiredError)) throw error;
      throw new ToolError(
        error.reason,
        error.message,
        { server: error.entry, digest: error.digest },
        { cause: error },
      );
    }
  }

  async rest(planId: string): Promise<void> {
    await this.#runtime.rest(planId);
  }

  async #servers(root: string): Promise<readonly LspServer[]> {
    const registered = await this.#runtime.registered();
    if (this.#binding === undefined) return registered;
    return boundServers(this.#binding, registered, this.#binding.auto ? await languagesIn(root) : []);
  }
}
