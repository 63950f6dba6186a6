import { isFinalStage, type JsonObject, PlanStateError } from "@cleveragents/domain";
import { ProtocolError } from "@cleveragents/protocol";
import type { DecisionService } from "../../services/decision-service.ts";
import type { PlanService } from "../../services/plan-service.ts";
import {
  toWireAppended,
  toWireContinued,
  toWireCorrected,
  toWireExplanation,
  toWireGuidance,
  toWireImpact,
  toWireRolledBack,
} from "../../wire/decision.ts";
import { toWireStage } from "../../wire/plan.ts";
import type { HandlersOf } from "../method-handlers.ts";
import { wired } from "./wired.ts";

export type PlanDecisionMethod = `_cleveragents/plan/${"correct" | "explain" | "prompt" | "rollback"}`;

export function planDecisionHandlers(
  service: DecisionService | undefined,
  planService: PlanService | undefined,
): HandlersOf<PlanDecisionMethod> {
  const plans = () => wired(planService, "plan");
  const decisions = () => wired(service, "decision");
  return {
    async "_cleveragents/plan/explain"(params, { principal }) {
      return toWireExplanation(await decisions().explain(principal, params.plan_id, params.decision_id));
    },

    async "_cleveragents/plan/correct"(params, { principal, signal }) {
      const { plan_id, mode, dry_run, message_id } = params;
      const named = oneText(params, ["decision_id", "target_decision_id"], true);
      const text = oneText(params, ["guidance", "text"], dry_run === true) ?? "";
      if (mode === "append") {
        const action =
          params.action_name === undefined
            ? undefined
            : { name: params.action_name, arguments: (params.arguments ?? {}) as JsonObject };
        const { plan } = await plans().find(principal, plan_id);
        if (isFinalStage(plan.stage)) {
          if (dry_run === true) return toWireContinued(plan, undefined, text);
          const request = { text, action, messageId: message_id };
          return toWireContinued(plan, await plans().continued(principal, plan, request), text);
        }
        if (dry_run === true)
          return toWireAppended(await decisions().appendImpact(principal, plan_id, named), text);
        const request = { named, text, messageId: message_id, ...(action === undefined ? {} : { action }) };
        return toWireAppended(await decisions().append(principal, plan_id, request, signal), text);
      }
      if (params.action_name !== undefined || params.arguments !== undefined)
        throw new ProtocolError("InvalidParams", {
          violations: [{ field: "action_name", description: "an action goes with mode append" }],
        });
      if (dry_run === true) return toWireImpact(await decisions().impact(principal, plan_id, named));
      const request = { named, text, messageId: message_id };
      return toWireCorrected(await decisions().correct(principal, plan_id, request, signal));
    },

    async "_cleveragents/plan/rollback"(params, { principal, signal }) {
      const { plan_id, checkpoint, dry_run, message_id } = params;
      const { plan: before } = await plans().find(principal, plan_id);
      if (!isFinalStage(before.stage)) {
        const request = { checkpoint, dryRun: dry_run === true, messageId: message_id };
        return toWireRolledBack(await decisions().rollback(principal, plan_id, request, signal));
      }
      if (checkpoint !== undefined || dry_run === true)
        throw new PlanStateError(
          before.planId,
          before.stage,
          "what it applied is undone whole, by another plan",
        );
      const { plan, stored } = await plans().rollback(principal, plan_id, message_id);
      const { files } = stored.changeset;
      return {
        ...toWireStage(plan),
        context_id: plan.contextId,
        digest: stored.digest,
        rollback_summary: {
          plan: plan_id,
          project: plan.project.name,
          files_reverted: files.length,
        },
        changes_reverted: files.map(({ path, after }) => ({
          file: path,
          action: after === null ? ("removed" as const) : ("restored" as const),
        })),
        next_steps: [`agents plan diff ${plan.planId}`, `agents plan apply ${plan.planId}`],
      };
    },

    async "_cleveragents/plan/prompt"(params, { principal }) {
      const { plan_id, decision_id, message_id } = params;
      const text = oneText(params, ["text", "guidance"]);
      return toWireGuidance(
        await decisions().guide(principal, plan_id, { text, decision: decision_id, messageId: message_id }),
      );
    },
  };
}

/** What stands in one of several parameters that mean the same. Throws InvalidParams for none, or for two that differ. */
function oneText<K extends string>(params: Texts<K>, names: readonly K[]): string;
function oneText<K extends string>(
  params: Texts<K>,
  names: readonly K[],
  optional: boolean,
): string | undefined;
function oneText<K extends string>(
  params: Texts<K>,
  names: readonly K[],
  optional = false,
): string | undefined {
  const [text, other] = new Set(names.flatMap((name) => params[name] ?? []));
  if (other === undefined && (text !== undefined || optional)) return text;
  const description =
    text === undefined ? `${names.join(" or ")} is needed` : `${names.join(" and ")} differ`;
  throw new ProtocolError("InvalidParams", { violations: [{ field: names[0] ?? "", description }] });
}

type Texts<K extends string> = { readonly [N in K]?: string | undefined };
