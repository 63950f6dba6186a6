import {
  type ToolContext,
  type ToolDescriptor,
  ToolError,
  type ToolProvider,
  type ToolResult,
  TrustRequiredError,
} from "@cleveragents/application";
import {
  boundServers,
  type JsonObject,
  type LspBinding,
  LspBindingError,
  type LspServer,
} from "@cleveragents/domain";
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
}

/**
 * What language servers can be asked, as tools. The names say nothing of a server: a call goes to the one that serves the
 * language of its file. Listing starts nothing; a server is started by the first call that needs it.
 */
export class LSPToolAdapter implements ToolProvider {
  readonly #runtime: LspRuntime;

  constructor({ runtime }: LSPToolAdapterDeps) {
    this.#runtime = runtime;
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
    // On the host they would run what the container is there to hold.
    if (context.environment !== undefined)
      throw new ToolError(
        "NOT_AVAILABLE",
        `the plan's commands run in the dev container ${context.environment.name}, where language servers are not started`,
      );
    const servers = await this.#servers(sandbox.root, context.lsp);
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

  async #servers(root: string, binding: LspBinding | undefined): Promise<readonly LspServer[]> {
    const registered = await this.#runtime.registered();
    if (binding === undefined) return registered;
    try {
      return boundServers(binding, registered, binding.auto ? await languagesIn(root) : []);
    } catch (error) {
      if (!(error instanceof LspBindingError)) throw error;
      throw new ToolError("LSP_NO_SERVER", error.message, {}, { cause: error });
    }
  }
}
