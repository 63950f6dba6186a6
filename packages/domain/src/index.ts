export {
  type Action,
  type ActionArgument,
  ActionSchema,
  ARGUMENT_TYPES,
  NameSchema,
  type ScriptActor,
  ScriptActorSchema,
} from "./action/action-schema.ts";
export { type ArgumentProblem, ArgumentsError, bindArguments } from "./action/bind-arguments.ts";
export { type SandboxSettings, withSandboxSettings } from "./action/sandbox-settings.ts";
export {
  type AskAnswer,
  type AskKind,
  AskMismatchError,
  type AskOption,
  type AskRequest,
  clearAnswer,
} from "./ask/ask.ts";
export {
  type ChangeOp,
  type Changeset,
  type ChangesetStats,
  type ChangesetSummary,
  canonicalChangeset,
  type FileChange,
  type FileMode,
  type FileSide,
  type RiskNote,
  statsOf,
  summaryOf,
} from "./changeset/changeset.ts";
export {
  canonicalName,
  formatName,
  InvalidNameError,
  isProviderActor,
  parseName,
  type QualifiedName,
} from "./names/name.ts";
export {
  DocumentError,
  type DocumentProblem,
  EntryExistsError,
  EntryNotFoundError,
  type RegistryKind,
} from "./names/registry-errors.ts";
export {
  type Correction,
  type Restart,
  restartBefore,
  takenBack,
  undoneFrom,
  undoneSteps,
  undoneWith,
} from "./plan/correction.ts";
export { type Alternative, DECISION_TYPES, type Decision, type DecisionType } from "./plan/decision.ts";
export { downstreamOf, stands } from "./plan/decision-tree.ts";
export { type EnvironmentChoice, environmentChoice, type PlanEnvironment } from "./plan/environment.ts";
export { type Estimate, HISTORY_ESTIMATOR } from "./plan/estimate.ts";
export {
  ANY_ISOLATION,
  confines,
  DEMANDED_LEVELS,
  type DemandedLevel,
  ENFORCEMENT_LEVELS,
  type IsolationDemand,
  IsolationError,
  isWeaker,
} from "./plan/isolation.ts";
export type {
  ChosenChange,
  DecisionEffect,
  EnforcementLevel,
  LeftOut,
  OfferedChangeset,
  OneOff,
  Plan,
  PlanFailure,
  PlanProject,
  PlanSandbox,
  PlanStep,
  StepStatus,
} from "./plan/plan.ts";
export {
  BaseDriftError,
  ChangesetRefusedError,
  DecisionNotFoundError,
  DigestMismatchError,
  type DriftedFile,
  type MergeConflict,
  MergeConflictError,
  PlanConstrainedError,
  PlanNotFoundError,
  PlanStateError,
  SelectionError,
} from "./plan/plan-errors.ts";
export {
  canAdvance,
  canReopen,
  canRetry,
  canRevert,
  isFinalStage,
  MAX_REVERSIONS,
  type PlanPhase,
  type PlanStage,
  type PlanState,
  reversionProblem,
} from "./plan/plan-phase.ts";
export {
  type Amounts,
  BUDGET_KINDS,
  type BudgetBreach,
  type BudgetKind,
  type BudgetLimits,
  BudgetSchema,
  breachOf,
  type Spending,
  tightest,
} from "./policy/budget.ts";
export { type CommandPolicy, CommandPolicySchema, NO_RULES } from "./policy/command-policy.ts";
export { like } from "./policy/command-rule.ts";
export {
  type Approval,
  approve,
  begun,
  callsOfStep,
  ended,
  type GuardedCall,
  type Guarding,
  isApproved,
  newGuarding,
  raised,
  repeatsOf,
} from "./policy/guarding.ts";
export { DEFAULT_GUARDS, type Guards, GuardsSchema } from "./policy/guards.ts";
export {
  type JudgedCommand,
  type Judgement,
  judgeCommand,
  type Verdict,
} from "./policy/judge-command.ts";
export type {
  ShellCommand,
  ShellParser,
  ShellRedirect,
  ShellScript,
  ShellWord,
} from "./policy/shell-script.ts";
export {
  BUILTIN_PROFILES,
  builtinProfile,
  DEFAULT_PROFILE,
  UnknownProfileError,
} from "./profile/builtin-profiles.ts";
export {
  type Confidence,
  type ConfidenceFactor,
  type ConfidenceFacts,
  confidenceFrom,
} from "./profile/confidence.ts";
export { profileOf } from "./profile/locked-profile.ts";
export { type AutomationProfile, GATES, type Gate, PHASE_GATE, proceeds } from "./profile/profile.ts";
export { type ProfileDocument, ProfileSchema, profileFrom } from "./profile/profile-schema.ts";
export { type Project, ProjectChoiceError } from "./project/project.ts";
export {
  AlternativeSchema,
  ChoiceSchema,
  type Script,
  type ScriptDecision,
  ScriptDecisionSchema,
  ScriptSchema,
  type ScriptStep,
  ScriptStepSchema,
  STEP_KINDS,
  STEP_SCHEMAS,
  type StepKind,
  type StepValue,
} from "./script/script-schema.ts";
export { type Session, SessionNotFoundError } from "./session/session.ts";
export {
  type Artifact,
  type JsonObject,
  type JsonValue,
  type Message,
  type Part,
  textOf,
} from "./task/message.ts";
export {
  FencedError,
  TaskNotCancelableError,
  TaskNotFoundError,
  TaskStateError,
} from "./task/task-errors.ts";
export type { DomainEvent, LoggedEvent, TaskEvent } from "./task/task-event.ts";
export { canMoveTask, isInterrupted, isTerminal, TASK_STATES, type TaskState } from "./task/task-state.ts";
export {
  type Check,
  type CheckMode,
  type CheckResult,
  type CheckScope,
  failedChecks,
  inCheckOrder,
  nextCheck,
  roundOf,
} from "./validation/check.ts";
export { checksOfDone, type DefinitionOfDone, textOfDone } from "./validation/definition-of-done.ts";
export {
  checkOfInvariant,
  type Invariant,
  type InvariantDocument,
  InvariantSchema,
  invariantFrom,
  type Overridden,
  reconcile,
} from "./validation/invariant.ts";
export { pathsAgainst } from "./validation/path-rule.ts";
export { type Probe, probeFrom } from "./validation/probe.ts";
export {
  checkFrom,
  modeOf,
  type ValidationDocument,
  ValidationSchema,
} from "./validation/validation-schema.ts";
