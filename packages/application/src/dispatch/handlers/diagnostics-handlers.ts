import type { DiagnosticsService } from "../../services/diagnostics-service.ts";
import type { HandlersOf } from "../method-handlers.ts";
import { wired } from "./wired.ts";

export function diagnosticsHandlers(
  service: DiagnosticsService | undefined,
): HandlersOf<"_cleveragents/diagnostics/run"> {
  return {
    async "_cleveragents/diagnostics/run"({ files }, { principal }) {
      const {
        checks,
        files: found,
        ...report
      } = await wired(service, "diagnostics").run(principal, { files });
      return {
        ...report,
        checks: checks.map((check) => ({ ...check })),
        ...(found && { files: found.map((file) => ({ ...file })) }),
      };
    },
  };
}
