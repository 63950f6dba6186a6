import type { HealthService } from "../../services/health-service.ts";
import type { HandlersOf } from "../method-handlers.ts";
import { wired } from "./wired.ts";

export function healthHandlers(service: HealthService | undefined): HandlersOf<"_cleveragents/health/check"> {
  return {
    async "_cleveragents/health/check"() {
      const report = await wired(service, "health").check();
      return { ...report, checks: report.checks.map((check) => ({ ...check })) };
    },
  };
}
