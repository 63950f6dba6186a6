import type { ActorRole, AdviceRole } from "../actor/actor-role.ts";
import type { Conversation, ModelUse } from "../actor/conversation.ts";
import type { GraphRun } from "../actor/graph-run.ts";
import type { RemoteWork } from "../actor/remote-work.ts";
import type { ScriptLook } from "../actor/script-look.ts";
import type { AskRequest } from "../ask/ask.ts";
import type { ChangesetSummary } from "../changeset/changeset.ts";
import type { AccountRef } from "../policy/account.ts";
import type { BudgetLimits } from "../policy/budget.ts";
import type { Guarding } from "../policy/guarding.ts";
import type { Confidence } from "../profile/confidence.ts";
import type { AutomationProfile, Gate } from "../profile/profile.ts";
import type { ContextConfig } from "../project/context-config.ts";
import type { Script } from "../script/script-schema.ts";
import type { Subplans } from "../script/subplans-schema.ts";
import type { JsonObject } from "../task/message.ts";
import type { Check } from "../validation/check.ts";
import type { Invariant, Overridden } from "../validation/invariant.ts";
import type { Appended } from "./appended.ts";
import type { ChildPlan, ParentPlan } from "./child-plan.ts";
import type { Correction } from "./correction.ts";
import type { Decision } from "./decision.ts";
import type { PlanEnvironment } from "./environment.ts";
import type { Estimate } from "./estimate.ts";
import type { DemandedLevel, IsolationDemand } from "./isolation.ts";
import type { PlanStage } from "./plan-phase.ts";

export interface PlanProject {
  readonly name: string;
  /** Absolute real path on the host that owns the plan. Never leaves the process. */
  readonly path: string;
  /** What it wanted models to be told when the plan was made. */
  readonly contextConfig?: ContextConfig;
}

/**
 * How much of a command's damage is held off: a whole sandbox, namespaces only, what a project says of its own
 * container, or path confinement alone.
 */
export type EnforcementLevel = "full" | "namespace" | "container" | "none";

export interface PlanSandbox {
  readonly kind: "git" | "plain";
  /** Opaque to everything but the workspace adapter that made it. */
  readonly ref: JsonObject;
  readonly enforcement: EnforcementLevel;
  /** Why it is no more, where commands are not isolated. */
  readonly enforcementReason?: string;
  /** What held of the limits of commands when the sandbox was made, in words. */
  readonly limits?: string;
  readonly warnings: readonly string[];
  /** Set when the sandbox directory is gone (after apply, or a discarded plan). */
  readonly disposed?: boolean;
}

export type StepStatus = "pending" | "running" | "done" | "skipped" | "failed";
export interface PlanStep {
  readonly index: number;
  readonly label: string;
  readonly kind: string;
  readonly status: StepStatus;
  readonly detail?: string;
  /** How often the step was begun in this attempt: more than once only after a crash, or for the answer to a question. */
  readonly tries?: number;
  /** The try that has ended with a question to a human. */
  readonly askedBy?: number;
  /** What its call was told in its middle; a call that is made again finds it. */
  readonly inputs?: readonly CallInput[];
  /** When a wait that has begun is over; milliseconds since the epoch. */
  readonly until?: number;
  /** Tree in the workspace after the step; what a retry of the next step starts from. */
  readonly checkpoint?: string;
  /** Ids of the decisions that it hung on when it ran. */
  readonly decisions?: readonly string[];
  /** Of a step that starts plans: those plans, in the order in which their results are merged. */
  readonly children?: readonly ChildPlan[];
  /** What the step was told, its templates filled. */
  readonly subplans?: Subplans;
  /** What their results have made of the copy so far. */
  readonly tree?: string;
  /** For the decision, the correction by its id, that has added the step to those of the script. */
  readonly addedBy?: string;
}

/** An answer to something that a call has asked. */
export interface CallInput {
  /** What was asked: the same for the same question of the same call. */
  readonly key: string;
  readonly value: JsonObject;
}

export interface PlanFailure {
  readonly reason: string;
  readonly message: string;
  readonly step?: number;
  readonly recoverable: boolean;
  /** Of a changeset that cannot be applied: the path that it is refused for, and why. */
  readonly refused?: { readonly path: string; readonly why: string };
  /** The last lines that a failed command wrote. */
  readonly output?: string;
}

/** The changeset a plan offers: its digest is what an approval is bound to. */
export interface OfferedChangeset {
  readonly digest: string;
  readonly summary: ChangesetSummary;
  /** Of one that was applied: what of the plan's changes was not chosen. */
  readonly leftOut?: LeftOut;
  /** Of one that was applied: files whose changes were merged with the user's. */
  readonly merged?: readonly string[];
  /** Where it was put instead of into the working tree. */
  readonly branch?: string;
  readonly commit?: string;
}

/** What the steps that hang on a decision have changed, one changeset for each row of steps without others in between. */
export interface DecisionEffect {
  readonly decisionId: string;
  readonly digests: readonly string[];
}

export interface LeftOut {
  readonly digest: string;
  readonly paths: readonly string[];
}

/** What is applied in place of the offered changeset: a part of it, one that was merged, or one for a branch. */
export interface ChosenChange extends OfferedChangeset {
  /** Trees in the workspace. */
  readonly from: string;
  readonly to: string;
}

export interface OneOff {
  /** The id that its caller has given it. */
  readonly alias?: string;
  /** Of all that was asked for, so that the same request again is known. */
  readonly digest: string;
  /** The caller's own; kept and shown. */
  readonly metadata?: JsonObject;
}

/** What decides for a plan in place of a script. */
export interface PlanSource {
  /** Of actors: which source it is. */
  readonly kind: string;
  readonly actor: string;
  /** What the actor was when the plan was made. */
  readonly settings: JsonObject;
}

/** Everything a plan knows about itself, stored as one document beside its log. */
export interface Plan {
  readonly planId: string;
  readonly contextId: string;
  readonly principal: string;
  readonly action: string;
  readonly description: string;
  readonly project: PlanProject;
  /** The host that has the project and carries the plan out, where several share a store. Never leaves the process. */
  readonly host?: string;
  readonly arguments: JsonObject;
  readonly actors: { readonly strategy: string | null; readonly execution: string | null };
  /** What the actors declared when the plan was made; editing an actor changes no plan that exists. */
  readonly script: Pick<Script, "decisions" | "steps">;
  /** Who decides where that is not the script: what is done in Strategize, and in Execute; and who looks on. */
  readonly sources?: { readonly [role in ActorRole]?: PlanSource };
  /** `settings` are what the profile was when the plan was made; editing it changes no plan that exists. */
  readonly profile: {
    readonly name: string;
    readonly source: string;
    readonly settings?: AutomationProfile;
  };
  /** Who lets it run only where commands are isolated; undefined if it may run anywhere. */
  readonly isolationDemand?: IsolationDemand;
  /** Where its commands run; on the host when absent. */
  readonly environment?: PlanEnvironment;
  /** The least that is demanded; any isolation if that is not said. */
  readonly isolationLevel?: DemandedLevel;
  /** Corrections and rollbacks, oldest first, refused ones too. */
  readonly corrections?: readonly Correction[];
  /** What was made of steps that came with the request, of no registered action. */
  readonly oneOff?: OneOff;
  /** When its work is to be over, in milliseconds since the epoch; what is not done by then is stopped. */
  readonly deadline?: number;
  /** Of a plan that another one has started. */
  readonly parent?: ParentPlan;
  /** Of such a plan: the tree that it has left for the other one. */
  readonly handedOver?: string;
  /** Work that was added to what it does by itself. */
  readonly appended?: readonly Appended[];
  readonly stage: PlanStage;
  readonly attempt: number;
  /** How often it was taken back to an earlier phase, or to the beginning of this one. */
  readonly reversions?: number;
  /** Since when it has waited for a place among the plans that are worked on. */
  readonly queuedSince?: number;
  readonly steps: readonly PlanStep[];
  /** Answers of a script's reads, commands and questions by step name; what later steps refer to. */
  readonly results: JsonObject;
  /** Texts that the user sent while the plan worked, oldest first. */
  readonly guidance: readonly string[];
  readonly decisions: readonly Decision[];
  readonly sandbox?: PlanSandbox;
  readonly changeset?: OfferedChangeset;
  /** What steps of single decisions have changed: digests of changesets, kept when the sandbox is gone. */
  readonly effects?: readonly DecisionEffect[];
  /** Approved in place of `changeset`; gone again when it is refused, and `changeset` itself once it is applied. */
  readonly chosen?: ChosenChange;
  /** The applied plan that this one undoes. */
  readonly reverses?: { readonly planId: string };
  /** What a human is being asked right now. */
  readonly open?: AskRequest;
  readonly failure?: PlanFailure;
  /** Paths of what it offers to change, the first of them. */
  readonly touched?: readonly string[];
  /** What it is to keep to, as it and its action said when it was made. */
  readonly invariants?: readonly Invariant[];
  /** What holds of that and of what its project and everybody say, since Strategize. */
  readonly reconciled?: {
    readonly effective: readonly Invariant[];
    readonly overridden: readonly Overridden[];
  };
  /** What has to hold before it may be applied, or is to be known; in the order in which it is looked at. */
  readonly checks?: readonly Check[];
  /** How often it was repaired in an attempt, because a check failed. */
  readonly repairs?: { readonly attempt: number; readonly count: number };
  /** What people have chosen where it would have decided otherwise, or was not sure enough; by the decision's name. */
  readonly choices?: Readonly<
    Record<string, { readonly option: string; readonly by: string; readonly attempt: number }>
  >;
  /** How often it has tried again by itself. */
  readonly retries?: number;
  /** Whether somebody wants to know before Execute what it will take, and what was thought. */
  readonly estimator?: string;
  readonly estimate?: Estimate;
  /** The check whose repair somebody has chosen, and which is still to be run. */
  readonly chosenRepair?: string;
  /** What was thought of it at the last gate. */
  readonly confidence?: Confidence & {
    readonly gate: Gate;
    readonly threshold: number;
    readonly passed: boolean;
  };
  readonly toolCalls: number;
  /** What it could use before anybody raised it. */
  readonly budget?: BudgetLimits;
  /** Budgets that it charges besides its own. */
  readonly accounts?: readonly AccountRef[];
  /** Budgets, approvals and repeated calls; what is absent has no limits and has used nothing. */
  readonly guarding?: Guarding;
  /** What was said with the models that decide for it, of its present attempt or an earlier one. */
  readonly conversations?: { readonly [role in ActorRole]?: Conversation };
  /** How far the graphs have come that decide for it. */
  readonly graphs?: { readonly [role in ActorRole]?: GraphRun };
  /** What other agents do for it. */
  readonly remotes?: { readonly [role in ActorRole]?: RemoteWork };
  /** How far scripts have come that look on. */
  readonly looks?: { readonly [role in AdviceRole]?: ScriptLook };
  /** What it has used of models, in all attempts. */
  readonly modelUse?: readonly ModelUse[];
  /** Milliseconds since the epoch. */
  readonly createdAt: number;
  readonly startedAt?: number;
  readonly finishedAt?: number;
  readonly cancelReason?: string;
}
