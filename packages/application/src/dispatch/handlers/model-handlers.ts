import { type ModelUse, totalTokens } from "@cleveragents/domain";
import { ProtocolError } from "@cleveragents/protocol";
import { type ActorProbe, NothingToProbeError } from "../../services/actor-probe.ts";
import type { UsageService } from "../../services/usage-service.ts";
import { compact } from "../../wire/message.ts";
import type { HandlersOf } from "../method-handlers.ts";
import { wired } from "./wired.ts";

type ModelMethod = "_cleveragents/registry/actor/test" | "_cleveragents/usage/show";

export function modelHandlers(
  probe: ActorProbe | undefined,
  usage: UsageService | undefined,
): HandlersOf<ModelMethod> {
  return {
    async "_cleveragents/registry/actor/test"({ name }, { signal }) {
      try {
        const { probes, ...probed } = await wired(probe, "models").probe(name, signal);
        return { ...probed, probes: probes.map((one) => ({ ...one })) };
      } catch (error) {
        if (!(error instanceof NothingToProbeError)) throw error;
        throw new ProtocolError("InvalidParams", {
          violations: [{ field: "name", description: error.message }],
          cause: error,
        });
      }
    },

    async "_cleveragents/usage/show"({ plan_id, session_id, model }, { principal }) {
      if (plan_id !== undefined && session_id !== undefined)
        throw new ProtocolError("InvalidParams", {
          violations: [{ field: "session_id", description: "either a plan or a session" }],
        });
      const found = await wired(usage, "usage").show(principal, {
        planId: plan_id,
        sessionId: session_id,
        model,
      });
      return {
        total: toUsage(found.uses),
        unpriced_models: [
          ...new Set(found.uses.filter(({ cost }) => cost === undefined).map((use) => use.model)),
        ].sort(),
        models: [...found.uses]
          .sort((a, b) => totalTokens(b) - totalTokens(a))
          .map((use) => ({ model: use.model, role: use.role, ...toUsage([use]) })),
        tasks: found.tasks.map(({ taskId, contextId, action, uses }) => {
          const { calls, total_tokens, cost_usd } = toUsage(uses);
          return {
            task_id: taskId,
            context_id: contextId,
            calls,
            total_tokens,
            ...compact({ action, cost_usd }),
          };
        }),
        total_tasks: found.total,
      };
    },
  };
}

function toUsage(uses: readonly ModelUse[]) {
  const sum = (of: (use: ModelUse) => number) => uses.reduce((total, use) => total + of(use), 0);
  const priced = uses.some(({ cost }) => cost !== undefined);
  const cost = Math.round(sum((use) => use.cost ?? 0) * 1e6) / 1e6;
  return {
    calls: sum(({ calls }) => calls),
    input_tokens: sum(({ input }) => input),
    cache_read_tokens: sum(({ cacheRead }) => cacheRead),
    cache_write_tokens: sum(({ cacheWrite }) => cacheWrite),
    output_tokens: sum(({ output }) => output),
    total_tokens: sum(totalTokens),
    estimated_calls: sum(({ estimated }) => estimated),
    ...(priced ? { cost_usd: cost } : {}),
  };
}
