import type { MethodName } from "@cleveragents/protocol";
import type { PolicyService } from "../../services/policy-service.ts";
import type { HandlersOf } from "../method-handlers.ts";
import { wired } from "./wired.ts";

type PolicyMethod = Extract<MethodName, `_cleveragents/policy/${string}`>;

export function policyHandlers(service: PolicyService | undefined): HandlersOf<PolicyMethod> {
  return {
    async "_cleveragents/policy/explain"({ command, profile: name }) {
      const { profile, ...found } = await wired(service, "policy").explain(command, name);
      return {
        command,
        profile: profile.name,
        enforced: found.enforced,
        verdict: found.verdict,
        reason: found.reason,
        commands: found.commands.map((judged) => ({ ...judged })),
        unclear: [...found.unclear],
      };
    },
  };
}
