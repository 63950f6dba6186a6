import {
  type BudgetLimits,
  type JsonObject,
  MAX_REVERSIONS,
  type OfferedChangeset,
  type Plan,
  summaryOf,
} from "@cleveragents/domain";
import { type MethodName, ProtocolError } from "@cleveragents/protocol";
import { planOf } from "../../plans/plan-document.ts";
import type { TaskCursor, TaskRow } from "../../ports/task-store.ts";
import { selects } from "../../services/chosen-change.ts";
import { decodeCursor, encodeCursor } from "../../services/page-token.ts";
import type { PlanService } from "../../services/plan-service.ts";
import { compact } from "../../wire/message.ts";
import {
  describeChange,
  fromWireState,
  toDecisionTree,
  toPlanListItem,
  toPlanStatus,
  toWireChild,
  toWireFile,
  toWireFilesWithHunks,
  toWireStage,
  toWireSummary,
} from "../../wire/plan.ts";
import { iso } from "../../wire/task.ts";
import type { HandlersOf } from "../method-handlers.ts";
import type { PlanDecisionMethod } from "./plan-decision-handlers.ts";
import { wired } from "./wired.ts";

type PlanMethod = Exclude<Extract<MethodName, `_cleveragents/plan/${string}`>, PlanDecisionMethod>;
const DEFAULT_PAGE = 50;
/** Bytes of an output that are told at a time. */
const OUTPUT_PAGE = 65_536;
/** Plans that are read at a time where all have to be looked at. */
const SCANNED = 200;

export function planHandlers(service: PlanService | undefined): HandlersOf<PlanMethod> {
  const plans = () => wired(service, "plan");
  return {
    async "_cleveragents/plan/use"(params, { principal }) {
      const plan = await plans().use(principal, {
        action: params.action_name,
        arguments: params.arguments ?? {},
        project: params.project,
        workingDirectory: params.working_directory,
        profile: params.automation_profile,
        budget: params.budget as BudgetLimits | undefined,
        requireIsolation: params.require_isolation,
        environment: params.environment,
        validations: params.validations,
        invariants: params.invariants,
        contextId: params.session_id,
      });
      return {
        ...toWireStage(plan),
        context_id: plan.contextId,
        action: plan.action,
        project: plan.project.name,
        automation_profile: plan.profile.name,
        attempt: plan.attempt,
        inputs: plan.arguments,
        actors: {
          strategy: plan.actors.strategy,
          execution: plan.actors.execution,
          estimation: plan.estimator ?? null,
          review: plan.sources?.review?.actor ?? null,
          invariant: plan.sources?.invariant?.actor ?? null,
        },
        automation: { profile: plan.profile.name, source: plan.profile.source, read_only: true },
        next_steps: [`agents plan execute ${plan.planId}`, `agents plan status ${plan.planId}`],
      };
    },

    async "_cleveragents/plan/create"(params, { principal }) {
      const { plan_definition, document, file } = params;
      if ((plan_definition === undefined) === (document === undefined))
        throw new ProtocolError("InvalidParams", {
          violations: [{ field: "plan_definition", description: "either it or a document is needed" }],
        });
      const plan = await plans().create(principal, {
        given:
          document === undefined
            ? { definition: plan_definition as unknown as JsonObject }
            : { document, file: file ?? "document" },
        alias: params.plan_id,
        metadata: params.metadata as JsonObject | undefined,
        project: params.project,
        workingDirectory: params.working_directory,
        profile: params.automation_profile,
        budget: params.budget as BudgetLimits | undefined,
        contextId: params.session_id,
      });
      return {
        plan_id: plan.oneOff?.alias ?? plan.planId,
        task_id: plan.planId,
        session_id: plan.contextId,
        status: "created",
        created_at: iso(plan.createdAt),
        project: plan.project.name,
        automation_profile: plan.profile.name,
      };
    },

    async "_cleveragents/plan/execute"(params, { principal, signal }) {
      const { parallel, timeout } = params.execution_options ?? {};
      if (parallel === true)
        throw new ProtocolError("NotAvailable", {
          message: "Steps of a plan are run one after the other; parallel is not available",
          details: { plan_id: params.plan_id },
        });
      const { plan, already, askedAt } = await plans().execute(principal, params.plan_id, signal, timeout);
      return {
        ...toWireStage(plan),
        attempt: plan.attempt,
        already,
        execution_id: `${plan.planId}.${plan.attempt}`,
        started_at: iso(plan.startedAt ?? askedAt),
      };
    },

    async "_cleveragents/plan/status"(params, { principal }) {
      const { row, plan } = await plans().find(principal, params.plan_id);
      const [children, shared] = await Promise.all([plans().children(plan), plans().sharedBudgets(plan)]);
      return toPlanStatus(row, plan, plans().queueOf(plan), children, shared);
    },

    async "_cleveragents/plan/diff"(params, { principal }) {
      const { plan_id, only, exclude, rebase, left_out } = params;
      const selection = { only, exclude, rebase };
      if (selects(selection) && left_out === true)
        throw new ProtocolError("InvalidParams", {
          message: "what was left out is shown whole: left_out goes without only, exclude and rebase",
          details: { plan_id },
        });
      const part = selects(selection) ? await plans().selected(principal, plan_id, selection) : undefined;
      const whole = () =>
        left_out === true ? plans().leftOut(principal, plan_id) : plans().changeset(principal, plan_id);
      const { plan, stored } = part ?? (await whole());
      const { changeset, digest, patch } = stored;
      const { insertions, deletions, files } = changeset.stats;
      const net = insertions - deletions;
      return {
        plan_id: plan.planId,
        digest,
        diff_summary: {
          plan: plan.planId,
          project: plan.project.name,
          files_changed: files,
          insertions,
          deletions,
          net_change: `${net < 0 ? "" : "+"}${net} line${Math.abs(net) === 1 ? "" : "s"}`,
        },
        files:
          params.include_hunks === true
            ? toWireFilesWithHunks(changeset.files, patch)
            : changeset.files.map(toWireFile),
        risks: changeset.risks.map((risk) => ({ ...risk })),
        ...toWireChosen(part?.chosen),
        ...(params.include_patch === false ? {} : { patch }),
      };
    },

    async "_cleveragents/plan/apply"(params, { principal, signal }) {
      const { plan_id, digest, only, exclude, rebase, branch, dry_run } = params;
      const request = { digest, only, exclude, rebase, branch };
      if (dry_run === true) return rehearsed(await plans().rehearse(principal, plan_id, request));
      const { view, already } = await plans().apply(principal, plan_id, request, signal);
      const { plan } = view;
      return {
        ...toWireStage(plan),
        project: plan.project.name,
        already,
        ...(plan.stage.state === "applied" ? toWireChosen(plan.changeset) : {}),
        ...compact({
          digest: plan.changeset?.digest,
          changes: plan.changeset === undefined ? undefined : toWireSummary(plan.changeset.summary),
          applied_at: plan.finishedAt === undefined ? undefined : iso(plan.finishedAt),
        }),
      };
    },

    async "_cleveragents/plan/approve"(params, { principal }) {
      const given = compact({
        requestId: params.request_id,
        choice: params.option,
        text: params.text,
        digest: params.digest,
      });
      return answered(await plans().answer(principal, params.plan_id, given, false));
    },

    async "_cleveragents/plan/reject"(params, { principal }) {
      const given = compact({ requestId: params.request_id, text: params.reason, choice: "no" });
      return answered(await plans().answer(principal, params.plan_id, given, true));
    },

    async "_cleveragents/plan/revert"(params, { principal, signal }) {
      const { plan_id, to_phase, reason } = params;
      const plan = await plans().revert(principal, plan_id, { to: to_phase, reason }, signal);
      return {
        ...toWireStage(plan),
        attempt: plan.attempt,
        reversions: plan.reversions ?? 0,
        reversions_left: Math.max(0, MAX_REVERSIONS - (plan.reversions ?? 0)),
        next_steps: [`agents plan watch ${plan.planId}`, `agents plan status ${plan.planId}`],
      };
    },

    async "_cleveragents/plan/cancel"(params, { principal }) {
      const { plan } = await plans().cancel(principal, params.plan_id, params.reason);
      return {
        ...toWireStage(plan),
        ...compact({ reason: plan.cancelReason }),
        cancelled_at: iso(plan.finishedAt ?? plan.createdAt),
        recovery:
          plan.oneOff === undefined
            ? [`agents plan use ${plan.action} --project ${plan.project.name}`]
            : [`agents plan create FILE --project ${plan.project.name}`],
      };
    },

    async "_cleveragents/plan/artifacts"(params, { principal }) {
      const { plan } = await plans().find(principal, params.plan_id);
      const files =
        plan.changeset === undefined
          ? []
          : (await plans().changeset(principal, params.plan_id)).stored.changeset.files;
      const types = { create: "write", modify: "edit", delete: "delete", rename: "rename" } as const;
      const artifacts = files.map((file) => ({
        path: file.path,
        type: types[file.op],
        change: describeChange(file),
        ...compact({ size: file.after?.size }),
      }));
      const output = params.artifact_id;
      const { kept, page } = await plans().outputs(
        principal,
        params.plan_id,
        output === undefined
          ? undefined
          : { artifactId: output, offset: params.offset ?? 0, limit: params.limit ?? OUTPUT_PAGE },
      );
      const count = (type: string) => artifacts.filter((artifact) => artifact.type === type).length;
      return {
        plan_id: plan.planId,
        artifacts,
        outputs: kept.map(({ artifactId, size }) => ({ artifact_id: artifactId, size })),
        ...(page === undefined
          ? {}
          : {
              output: {
                artifact_id: output as string, // a page is only of one that was asked for
                offset: params.offset ?? 0,
                text: page.text,
                size: page.size,
                ...compact({ next_offset: page.next }),
              },
            }),
        summary: {
          total: artifacts.length,
          writes: count("write"),
          edits: count("edit"),
          deletes: count("delete"),
          renames: count("rename"),
          total_size: files.reduce((sum, file) => sum + (file.after?.size ?? 0), 0),
        },
        total: artifacts.length,
        next_page_token: "",
      };
    },

    async "_cleveragents/plan/tree"(params, { principal }) {
      const { plan } = await plans().find(principal, params.plan_id);
      const tree = toDecisionTree(plan, params.show_superseded ?? false);
      const children = await plans().children(plan);
      return {
        plan_id: plan.planId,
        decision_root_id: plan.decisions[0]?.decisionId ?? null,
        tree,
        child_plans: children.map(toWireChild),
        summary: {
          nodes: plan.decisions.filter((d) => params.show_superseded === true || d.supersededBy === undefined)
            .length,
          depth: depthOf(tree),
          superseded: plan.decisions.filter((d) => d.supersededBy !== undefined).length,
          child_plans: children.length,
        },
      };
    },

    async "_cleveragents/plan/list"(params, { principal }) {
      const { phase, state, project, action, parent } = params;
      if ([phase, state, project, action, parent].every((filter) => filter === undefined))
        return listPlans(plans(), principal.id, undefined, params, {});
      const matches = (plan: Plan) =>
        (phase === undefined || plan.stage.phase === phase) &&
        (state === undefined || plan.stage.state === fromWireState(state)) &&
        (project === undefined ||
          plan.project.name === project ||
          plan.project.name === `local/${project}`) &&
        (parent === undefined || plan.parent?.planId === parent) &&
        (action === undefined || plan.action === action || plan.action === `local/${action}`);
      return listPlans(plans(), principal.id, matches, params, { phase, state, project, action, parent });
    },
  };
}

/** One page of the plans that match; all of them where nothing is asked. */
async function listPlans(
  plans: PlanService,
  principal: string,
  matches: ((plan: Plan) => boolean) | undefined,
  page: { readonly page_size?: number | undefined; readonly page_token?: string | undefined },
  filter: { readonly [name: string]: string | undefined },
) {
  const of = { method: "plan/list", principal, ...compact(filter) };
  const size = page.page_size ?? DEFAULT_PAGE;
  const cursor = decodeCursor(page.page_token, "page_token", of);
  if (matches === undefined) {
    const { rows, total, next } = await plans.list({
      principal,
      limit: size,
      ...(cursor === undefined ? {} : { cursor }),
    });
    return {
      plans: rows.map((row) => toPlanListItem(row, planOf(row))),
      total,
      next_page_token: encodeCursor(next, of),
    };
  }
  // Filters look inside documents, and the total is that of what matches: every plan is looked at.
  const matching: TaskRow[] = [];
  let from: TaskCursor | undefined;
  do {
    const found = await plans.list({
      principal,
      limit: SCANNED,
      ...(from === undefined ? {} : { cursor: from }),
    });
    matching.push(...found.rows.filter((row) => matches(planOf(row))));
    from = found.next;
  } while (from !== undefined);
  const rest = cursor === undefined ? matching : matching.filter((row) => isAfter(row, cursor));
  const shown = rest.slice(0, size);
  return {
    plans: shown.map((row) => toPlanListItem(row, planOf(row))),
    total: matching.length,
    next_page_token: rest.length > size ? encodeCursor(shown.at(-1), of) : "",
  };
}

function isAfter(row: TaskCursor, { statusAt, taskId }: TaskCursor): boolean {
  return row.statusAt < statusAt || (row.statusAt === statusAt && row.taskId < taskId);
}

function rehearsed({ plan, chosen, stored, done }: Awaited<ReturnType<PlanService["rehearse"]>>) {
  const actions = { create: "create", modify: "replace", delete: "delete", rename: "rename" } as const;
  const settled = new Set(done);
  return {
    ...toWireStage(plan),
    project: plan.project.name,
    already: false,
    dry_run: true,
    digest: stored.digest,
    changes: toWireSummary(summaryOf(stored.changeset)),
    ...toWireChosen(chosen),
    files: stored.changeset.files.map(({ path, previousPath, op }) => ({
      path,
      action: settled.has(path) && settled.has(previousPath ?? path) ? ("none" as const) : actions[op],
      ...compact({ previous_path: previousPath }),
    })),
  };
}

/** What sets a chosen change apart from the one that a plan offers. */
function toWireChosen(chosen: OfferedChangeset | undefined) {
  if (chosen === undefined) return {};
  const { leftOut, merged, branch, commit } = chosen;
  return compact({
    left_out: leftOut === undefined ? undefined : { digest: leftOut.digest, paths: [...leftOut.paths] },
    merged: merged === undefined || merged.length === 0 ? undefined : [...merged],
    branch,
    commit,
  });
}

function answered({ plan, requestId, choice }: { plan: Plan; requestId: string; choice: string }) {
  return { ...toWireStage(plan), request_id: requestId, choice };
}

function depthOf(nodes: readonly { children: readonly unknown[] }[]): number {
  return nodes.length === 0
    ? 0
    : 1 + Math.max(...nodes.map((node) => depthOf(node.children as typeof nodes)));
}
