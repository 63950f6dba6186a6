import type { MethodName } from "@cleveragents/protocol";
import type { LspService } from "../../lsp/lsp-service.ts";
import { compact } from "../../wire/message.ts";
import type { HandlersOf } from "../method-handlers.ts";
import { wired } from "./wired.ts";

type LspMethod = Extract<MethodName, "_cleveragents/registry/lsp/test">;

export function lspHandlers(service: LspService | undefined): HandlersOf<LspMethod> {
  return {
    async "_cleveragents/registry/lsp/test"({ name, project }, { signal }) {
      const tested = await wired(service, "lsp").test(name, project, signal);
      const { server, capabilities, encoding, diagnostics, startedMs, level, tried, leftRunning } = tested;
      return {
        name: tested.name,
        server: compact(server),
        capabilities: [...capabilities],
        position_encoding: encoding,
        diagnostics,
        started_ms: startedMs,
        enforcement: level,
        ...(tried === undefined ? {} : { tried }),
        left_running: leftRunning,
      };
    },
  };
}
