import type {
  CodeContext,
  CodeContextRequest,
  CodeIntelligence,
  LspTested,
  Sandbox,
} from "@cleveragents/application";
import { AUTO_BINDING, boundServers, type LspBinding, type LspServer } from "@cleveragents/domain";
import { codeContext } from "./code-context.ts";
import type { Activation, LspPlace, LspRuntime } from "./lsp-runtime.ts";
import { languagesIn } from "./project-walk.ts";

/** Language servers, for those who do not call tools. */
export class LspCodeIntelligence implements CodeIntelligence {
  readonly #runtime: LspRuntime;

  constructor({ runtime }: { readonly runtime: LspRuntime }) {
    this.#runtime = runtime;
  }

  async test(server: LspServer, sandbox: Sandbox | undefined, signal: AbortSignal): Promise<LspTested> {
    return await this.#runtime.test(server, sandbox, signal);
  }

  async activate(binding: LspBinding, place: LspPlace): Promise<Activation> {
    return await this.#runtime.activate(binding, place);
  }

  async context(request: CodeContextRequest): Promise<CodeContext> {
    const { binding = AUTO_BINDING, sandbox } = request;
    const found = binding.auto ? await languagesIn(sandbox.root) : [];
    const registered = await this.#runtime.registered();
    return await codeContext(this.#runtime, request, boundServers(binding, registered, found));
  }
}
