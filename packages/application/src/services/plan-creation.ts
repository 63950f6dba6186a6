import {
  type AccountRef,
  type Action,
  ANY_ISOLATION,
  BUDGET_KINDS,
  type BudgetLimits,
  bindArguments,
  canonicalName,
  EntryNotFoundError,
  type JsonObject,
  type Message,
  newGuarding,
  type OneOff,
  type Plan,
  type Project,
  ProjectChoiceError,
  parseName,
  tightest,
  withSandboxSettings,
} from "@cleveragents/domain";
import { type Principal, ProtocolError } from "@cleveragents/protocol";
import { sourcesOf } from "../plans/actor-sources.ts";
import type { DecisionSource } from "../plans/decision-source.ts";
import { assertIsolation, isolationDemand, type WrittenDemand } from "../plans/isolation.ts";
import { documentOf } from "../plans/plan-document.ts";
import { statusEvent } from "../plans/plan-writer.ts";
import { sessionAccount, sharedBudgets } from "../plans/shared-budgets.ts";
import type { Clock, IdGenerator } from "../ports/clock.ts";
import type { CommandEnvironments } from "../ports/command-environments.ts";
import type { CommandRunner } from "../ports/command-runner.ts";
import type { RegistryStore } from "../ports/registry-store.ts";
import type { SessionStore } from "../ports/session-store.ts";
import type { TaskStore } from "../ports/task-store.ts";
import type { Workspace } from "../ports/workspace.ts";
import { knownContext } from "./contexts.ts";
import { findEnvironment } from "./environment-choice.ts";
import { aliasKey } from "./plan-alias.ts";
import { checksFor, declaredInvariants } from "./plan-checks.ts";
import { chooseProfile } from "./profile-choice.ts";

export interface UseRequest {
  readonly action: string;
  readonly arguments: JsonObject;
  readonly project?: string | undefined;
  readonly workingDirectory?: string | undefined;
  readonly profile?: string | undefined;
  /** No more than this; the profile and the action may allow less. */
  readonly budget?: BudgetLimits | undefined;
  /** Commands run isolated, or the plan is not made. */
  readonly requireIsolation?: WrittenDemand;
  /** `host`, `devcontainer` or `devcontainer:NAME`; the host when absent. */
  readonly environment?: string | undefined;
  /** Registered validations and texts of its own, besides those of its project and its action. */
  readonly validations?: readonly string[] | undefined;
  readonly invariants?: readonly string[] | undefined;
  readonly contextId?: string | undefined;
  /** What its steps and decisions see as guidance from the start. */
  readonly guidance?: readonly string[] | undefined;
  /** Steps that came with the request, in the place of a registered action. */
  readonly inline?: { readonly action: Action; readonly oneOff: OneOff } | undefined;
  /** The message that asked for the plan, if one did; it becomes the first of the history. */
  readonly message?: Message | undefined;
}

export interface PlanCreationDeps {
  readonly store: TaskStore;
  readonly registry: RegistryStore;
  readonly sessions: SessionStore;
  readonly workspace: Workspace;
  readonly clock: Clock;
  readonly ids: IdGenerator;
  /** Who decides for plans whose actors are no scripts. */
  readonly sources?: readonly DecisionSource[] | undefined;
  readonly defaultProfile?: string | undefined;
  /** What plans of the projects of a namespace may use together in a day. */
  readonly namespaceBudgets?: Readonly<Record<string, BudgetLimits>> | undefined;
  readonly commands: Pick<CommandRunner, "probe">;
  /** Where commands can be run besides the host. */
  readonly environments?: Pick<CommandEnvironments, "detect"> | undefined;
  /** The operator lets no plan run without isolation of its commands. */
  readonly requireIsolation?: boolean | undefined;
  /** This host, where several share the store: it carries out the plans that are made here. */
  readonly host?: string | undefined;
}

/** Makes a plan from an action: everything is checked before anything is written, and it is one commit. */
export async function createPlan(
  deps: PlanCreationDeps,
  principal: Principal,
  request: UseRequest,
): Promise<Plan> {
  const action = request.inline?.action ?? (await findAction(deps.registry, request.action));
  const args = bindArguments(action, request.arguments);
  const project = await findProject(deps, request);
  const profile = await chooseProfile(deps.registry, {
    plan: request.profile,
    action: action.automation_profile,
    project: project.automationProfile,
    global: deps.defaultProfile,
  });
  const demand = isolationDemand(deps, request, profile.settings, action.sandbox);
  const budget = tightest(profile.settings.budget, action.budget as BudgetLimits | undefined, request.budget);
  const { script, sources } = await sourcesOf(deps.registry, deps.sources ?? [], action);
  const contextId = await knownContext(deps, principal, request.contextId);
  const accounts = await accountsFor(deps, project, contextId);
  await deps.workspace.inspect(project.path);
  const environment = await findEnvironment(deps.environments, project.path, request.environment);
  await assertIsolation(deps, { demand, environment });
  const planId = deps.ids.next();
  const invariants = declaredInvariants(action, planId, request.invariants);
  const checks = await checksFor(deps.registry, {
    planId,
    action,
    project: project.name,
    validations: request.validations,
  });
  const plan: Plan = {
    planId,
    contextId,
    principal: principal.id,
    action: action.name,
    description: action.description,
    project: {
      name: project.name,
      path: project.path,
      ...(project.contextConfig === undefined ? {} : { contextConfig: project.contextConfig }),
    },
    ...(deps.host === undefined ? {} : { host: deps.host }),
    arguments: args,
    actors: {
      strategy: action.strategy_actor ?? action.execution_actor ?? null,
      execution: action.execution_actor ?? null,
    },
    script: { decisions: script.decisions, steps: withSandboxSettings(script.steps, action.sandbox) },
    ...(sources === undefined ? {} : { sources }),
    profile,
    ...(request.inline === undefined ? {} : { oneOff: request.inline.oneOff }),
    ...(invariants.length === 0 ? {} : { invariants }),
    checks,
    ...(action.estimation_actor === undefined ? {} : { estimator: action.estimation_actor }),
    budget,
    ...(accounts.length === 0 ? {} : { accounts }),
    guarding: newGuarding(budget),
    ...(environment === undefined ? {} : { environment }),
    ...(demand === undefined ? {} : { isolationDemand: demand.by }),
    ...(demand === undefined || demand.level === ANY_ISOLATION ? {} : { isolationLevel: demand.level }),
    stage: { phase: "strategize", state: "queued" },
    attempt: 1,
    steps: [],
    results: {},
    guidance: [...(request.guidance ?? [])],
    decisions: [],
    toolCalls: 0,
    createdAt: deps.clock.now(),
  };
  const created = statusEvent("submitted", {
    key: "created",
    name: "plan.created",
    data: { action: plan.action, project: plan.project.name, automation_profile: profile.name },
  });
  const received =
    request.message === undefined ? {} : { received: { ...request.message, taskId: planId, contextId } };
  const alias = request.inline?.oneOff.alias;
  const claimed = alias === undefined ? request.message?.messageId : aliasKey(alias);
  await deps.store.commit({
    taskId: planId,
    create: {
      contextId,
      principal: principal.id,
      kind: "plan",
      referenceTaskIds: request.message?.referenceTaskIds ?? [],
    },
    document: documentOf(plan),
    events: [{ key: created.key, event: { ...created.event, ...received } as typeof created.event }],
    ...(claimed === undefined ? {} : { claimMessage: { principal: principal.id, messageId: claimed } }),
  });
  return plan;
}

/** What of budgets a new plan shares with others. Throws BUDGET_EXCEEDED where its namespace has nothing left for today. */
async function accountsFor(
  { sessions, namespaceBudgets = {}, store, clock }: PlanCreationDeps,
  project: Project,
  contextId: string,
): Promise<readonly AccountRef[]> {
  const session = await sessions.find(contextId);
  const ofSession = session && sessionAccount(session);
  const { namespace } = parseName(project.name);
  const daily = namespaceBudgets[namespace];
  const accounts: readonly AccountRef[] = [
    ...(ofSession === undefined ? [] : [ofSession]),
    ...(daily === undefined
      ? []
      : [
          {
            id: `namespace:${namespace}`,
            of: "namespace",
            name: namespace,
            limits: daily,
            daily: true,
          } as const,
        ]),
  ];
  const now = await sharedBudgets(store, { accounts }, clock.now());
  const used = now.find(
    ({ of, limits, used: so }) =>
      of === "namespace" &&
      BUDGET_KINDS.some((kind) => limits[kind] !== undefined && (so[kind] ?? 0) >= limits[kind]),
  );
  if (used !== undefined)
    throw new ProtocolError("BudgetExceeded", {
      message: `The budget of the namespace ${used.name} is used up for today`,
      details: { namespace: used.name, limits: { ...used.limits }, used: { ...used.used } },
    });
  return accounts;
}

/** A registered action. Throws `EntryNotFoundError`, and InvalidState for one that is archived. */
export async function findAction(registry: RegistryStore, name: string): Promise<Action> {
  const full = canonicalName(name);
  const entry = await registry.find("action", full);
  if (entry === undefined)
    throw new EntryNotFoundError(
      "action",
      full,
      (await registry.list("action")).map((known) => known.name),
    );
  const action = entry.document as unknown as Action; // checked when it was registered
  if (action.state === "archived")
    throw new ProtocolError("InvalidState", {
      message: `The action ${full} is archived`,
      details: { action: full },
    });
  return action;
}

/** By name; else the one that the working directory lies in; else the only one. Throws `ProjectChoiceError`. */
export async function findProject(
  deps: Pick<PlanCreationDeps, "registry">,
  request: Pick<UseRequest, "project" | "workingDirectory">,
): Promise<Project> {
  const entries = await deps.registry.list("project");
  const projects = entries.map((entry) => entry.document as unknown as Project);
  if (request.project !== undefined) {
    const full = canonicalName(request.project);
    const found = projects.find((project) => project.name === full);
    if (found === undefined)
      throw new EntryNotFoundError(
        "project",
        full,
        projects.map((project) => project.name),
      );
    return found;
  }
  const directory = request.workingDirectory;
  const around = projects.filter(
    (project) => directory !== undefined && `${directory}/`.startsWith(`${project.path}/`),
  );
  const longest = Math.max(0, ...around.map((project) => project.path.length));
  const innermost = around.filter((project) => project.path.length === longest);
  const candidates = innermost.length > 0 ? innermost : projects;
  // One folder may be several projects, and then which one is meant is the user's to say.
  const only = candidates.length === 1 ? candidates[0] : undefined;
  if (only === undefined) throw new ProjectChoiceError(candidates.map((project) => project.name));
  return only;
}
