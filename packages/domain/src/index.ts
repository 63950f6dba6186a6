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
export { type A2aActor, A2aActorSchema } from "./actor/a2a-actor-schema.ts";
export {
  ACTOR_ROLES,
  type ActorRole,
  ADVICE_ROLES,
  type AdviceRole,
  type RoleHint,
  suits,
} from "./actor/actor-role.ts";
export {
  type AskedModel,
  type Conversation,
  type ModelUse,
  NEW_CONVERSATION,
  type SaidCall,
  type SaidTurn,
  type SubmittedDecision,
  type SubmittedStrategy,
  withUse,
} from "./actor/conversation.ts";
export {
  type FindActor,
  type FlatGraph,
  type FlatNode,
  flattened,
  GraphError,
} from "./actor/flat-graph.ts";
export type { GraphActor } from "./actor/graph.ts";
export { GraphActorSchema, graphActorSchema } from "./actor/graph-actor-schema.ts";
export { GRAPH_END } from "./actor/graph-node-schema.ts";
export type { GraphNeed, GraphRun, NodeEffect, NodeResult, PassedStep } from "./actor/graph-run.ts";
export {
  type LlmActor,
  LlmActorSchema,
  providerActor,
} from "./actor/llm-actor-schema.ts";
export {
  type RemoteCredential,
  RemoteCredentialSchema,
  type RemoteLimits,
  type RemoteShows,
} from "./actor/remote-access-schema.ts";
export {
  REMOTE_GRAPH_FIELDS,
  type RemoteGraphActor,
  RemoteGraphActorSchema,
} from "./actor/remote-graph-actor-schema.ts";
export type {
  RemoteFile,
  RemotePlace,
  RemoteQuestion,
  RemoteSaid,
  RemoteWork,
} from "./actor/remote-work.ts";
export type { ScriptLook } from "./actor/script-look.ts";
export { type ToolActor, ToolActorSchema, toolScript } from "./actor/tool-actor-schema.ts";
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
export { isKnownLanguage, languageIds, languageOf } from "./lsp/languages.ts";
export {
  AUTO_BINDING,
  boundServers,
  type LspBinding,
  LspBindingError,
  LspBindingSchema,
} from "./lsp/lsp-binding.ts";
export {
  LSP_CAPABILITIES,
  type LspCapability,
  type LspServer,
  type LspServerDocument,
  LspServerSchema,
  lspCapability,
  lspServerFrom,
} from "./lsp/lsp-server-schema.ts";
export { rootMarkers } from "./lsp/root-markers.ts";
export { servedAs, serverFor } from "./lsp/serving.ts";
export { exposedToolName } from "./mcp/exposed-names.ts";
export { backOffMs, canBecome, type McpState } from "./mcp/life-cycle.ts";
export {
  listingChanges,
  type McpHints,
  type McpListing,
  McpListingSchema,
  type McpTool,
} from "./mcp/mcp-listing.ts";
export { type McpServer, McpServerSchema } from "./mcp/mcp-server-schema.ts";
export { fitsToolPattern, isOffered } from "./mcp/tool-filter.ts";
export { BUILTIN_PROVIDERS } from "./model/builtin-providers.ts";
export {
  InvalidModelNameError,
  isModelName,
  type ModelName,
  parseModelName,
} from "./model/model-name.ts";
export { IncompleteProviderError, type Provider, providersWith, settingsOf } from "./model/provider.ts";
export {
  type ModelSettings,
  type ProviderSettings,
  type ProvidersDocument,
  ProvidersSchema,
} from "./model/provider-schema.ts";
export {
  addUsage,
  costOf,
  estimateTokens,
  NO_TOKENS,
  type Prices,
  type TokenUsage,
  totalTokens,
} from "./model/usage.ts";
export {
  canonicalName,
  formatName,
  InvalidNameError,
  isProviderActor,
  ownName,
  parseName,
  type QualifiedName,
} from "./names/name.ts";
export { withTextAt } from "./names/reference-path.ts";
export {
  DocumentError,
  type DocumentProblem,
  EntryChangedError,
  EntryExistsError,
  EntryInUseError,
  EntryNotFoundError,
  inWords,
  type RegistryKind,
} from "./names/registry-errors.ts";
export { type Appended, appendedStanding, withAppended } from "./plan/appended.ts";
export {
  type ChildPlan,
  type ChildStatus,
  childrenOf,
  isOver,
  MAX_DEPTH,
  newChildren,
  nextToMerge,
  type ParentPlan,
  runningChildren,
  settleFailures,
  sideOf,
  startable,
  startedBy,
} from "./plan/child-plan.ts";
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
export { type FileView, FileViewSchema } from "./plan/file-view.ts";
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
  CallInput,
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
  PlanSource,
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
  type Account,
  type AccountRef,
  accountId,
  difference,
  openedAccount,
  raisedAccount,
  type SharedBudget,
  withCharge,
} from "./policy/account.ts";
export {
  type Amounts,
  BUDGET_KINDS,
  type BudgetBreach,
  type BudgetKind,
  type BudgetLimits,
  BudgetSchema,
  breachOf,
  reserve,
  type Spending,
  settle,
  tightest,
  warn,
} from "./policy/budget.ts";
export { type CommandPolicy, CommandPolicySchema, NO_RULES } from "./policy/command-policy.ts";
export { like } from "./policy/command-rule.ts";
export {
  type Approval,
  approve,
  begun,
  breachIn,
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
export {
  CONTEXT_VIEWS,
  type ContextConfig,
  ContextConfigSchema,
  type ContextView,
  type ContextViewName,
  contextViewOf,
} from "./project/context-config.ts";
export { type Project, ProjectChoiceError } from "./project/project.ts";
export { type ProjectDocument, ProjectSchema } from "./project/project-schema.ts";
export { BUILTIN_RESOURCE_TYPES } from "./resource/builtin-resource-types.ts";
export { bindResource, type Resource, ResourceSchema } from "./resource/resource-schema.ts";
export {
  type ResourceArgument,
  type ResourceType,
  ResourceTypeSchema,
  withInherited,
} from "./resource/resource-type-schema.ts";
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
export {
  inOrder,
  MERGE_STRATEGIES,
  type MergeStrategy,
  SUBPLAN_MODES,
  type Subplan,
  type Subplans,
  SubplansSchema,
} from "./script/subplans-schema.ts";
export {
  type ClosingPlans,
  closedSession,
  closingSession,
  type KeptSessionState,
  SESSION_STATES,
  type Session,
  SessionBusyError,
  SessionExistsError,
  SessionNotFoundError,
  type SessionState,
  SessionStateError,
  sessionState,
  TooManySessionsError,
  takesWork,
  usedSession,
} from "./session/session.ts";
export type {
  AgentSkillResourceSlot,
  AgentSkillSpec,
  AgentSkillToolDescriptor,
  SkillCommand,
  SkillDiagnostic,
  SkillStep,
} from "./skill/agent-skill.ts";
export { asksForCommand, toolDescriptor, toolPatterns } from "./skill/allowed-tools.ts";
export { BUILTIN_GROUPS, type BuiltinGroup } from "./skill/builtin-groups.ts";
export { tokensOf } from "./skill/skill-cost.ts";
export { skillHandle, skillNameProblems } from "./skill/skill-name.ts";
export {
  type SkillRegistration,
  SkillRegistrationSchema,
  skillToolName,
} from "./skill/skill-registration-schema.ts";
export { ownerOfServer, serverNamesOf, skillServerName } from "./skill/skill-servers.ts";
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
export {
  canMoveTask,
  INTERRUPTED_STATES,
  isInterrupted,
  isTerminal,
  TASK_STATES,
  type TaskState,
} from "./task/task-state.ts";
export {
  argumentVariable,
  type CustomTool,
  capabilitiesOf,
  commandOf,
  ToolSchema,
} from "./tool/tool-schema.ts";
export {
  type Check,
  type CheckMode,
  type CheckResult,
  type CheckScope,
  failedChecks,
  inCheckOrder,
  nextCheck,
  nextJudged,
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
