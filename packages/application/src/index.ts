export { AnyActors } from "./actors/any-actors.ts";
export { GraphEnding } from "./actors/graph-ending.ts";
export { GraphActors } from "./actors/graph-message-actor.ts";
export { createGraphSource } from "./actors/graph-source.ts";
export { LlmActors } from "./actors/llm-actors.ts";
export { createLlmSource } from "./actors/llm-source.ts";
export { builtinPrompts } from "./actors/prompts/builtin-prompts.ts";
export { RemoteActors } from "./actors/remote-actors.ts";
export { RemoteEnding } from "./actors/remote-ending.ts";
export { createRemoteNodes } from "./actors/remote-nodes.ts";
export { createRemoteSource, REMOTE_KINDS, type RemoteKind } from "./actors/remote-source.ts";
export type { RemoteDeps } from "./actors/remote-turn.ts";
export { ToolActors } from "./actors/tool-message-actor.ts";
export { WorkStopping } from "./actors/work-stopping.ts";
export { AskService } from "./ask/ask-service.ts";
export { activatedBy, activatedParameters, requestedExtensions } from "./dispatch/activation.ts";
export { createDispatcher, type DispatcherDeps } from "./dispatch/dispatcher.ts";
export { createMethodHandlers, type MethodHandlers, type Services } from "./dispatch/method-handlers.ts";
export { toProtocolError } from "./dispatch/to-protocol-error.ts";
export { type FoundMethod, methodOf, versionOf } from "./dispatch/version.ts";
export { EventBusBridge } from "./facade/event-bus-bridge.ts";
export { A2aEventQueue } from "./facade/event-queue.ts";
export { A2aLocalFacade } from "./facade/local-facade.ts";
export { EventFeed } from "./log/event-feed.ts";
export { TaskFeeds } from "./log/task-feed.ts";
export { LspService, type LspServiceDeps, registeredLspServers } from "./lsp/lsp-service.ts";
export { findMcpEntry, mcpEntries, skillServers } from "./mcp/mcp-entries.ts";
export { type StoredListing, storeListing } from "./mcp/mcp-listings.ts";
export { type McpRefreshed, McpService, type McpServiceDeps, type McpTested } from "./mcp/mcp-service.ts";
export { MessageKeeper } from "./messages/message-keeper.ts";
export { MessageRunner } from "./messages/message-runner.ts";
export { SessionLine } from "./messages/session-line.ts";
export { Models, type ModelsDeps } from "./models/models.ts";
export type { DecisionSource, Strategy } from "./plans/decision-source.ts";
export { PlanCanceller } from "./plans/plan-canceller.ts";
export { PlanDriver } from "./plans/plan-driver.ts";
export { PlanPlaces } from "./plans/plan-places.ts";
export { PlanSupervisor } from "./plans/plan-supervisor.ts";
export { PlanWaker } from "./plans/plan-waker.ts";
export { SandboxJanitor } from "./plans/sandbox-janitor.ts";
export { SilentHosts } from "./plans/silent-hosts.ts";
export { subplanTools } from "./plans/subplans/subplan-tool.ts";
export type { WorkElsewhere } from "./plans/work-elsewhere.ts";
export type { ApiKey, ApiKeyStore, MintKey } from "./ports/api-key-store.ts";
export type { ChangesetStore, StoredChangeset } from "./ports/changeset-store.ts";
export type { Clock, IdGenerator } from "./ports/clock.ts";
export {
  type CodeContext,
  type CodeContextRequest,
  type CodeIntelligence,
  type LspTested,
  LspUnavailableError,
} from "./ports/code-intelligence.ts";
export type {
  CommandEnvironment,
  CommandEnvironments,
  FoundEnvironment,
} from "./ports/command-environments.ts";
export {
  type CommandLimits,
  CommandNotStartedError,
  type CommandRequest,
  type CommandResult,
  type CommandRunner,
  type EnforcedIsolation,
} from "./ports/command-runner.ts";
export type { ContextFile, ContextFiles, ReadContextFiles } from "./ports/context-files.ts";
export type { DocumentReader } from "./ports/document-reader.ts";
export { type FailPoint, WITH_FAIL_POINTS } from "./ports/fail-point.ts";
export { FAIL_POINTS, type FailPointName } from "./ports/fail-point-names.ts";
export type {
  CheckpointFilter,
  CheckpointPlace,
  CheckpointWrite,
  GraphCheckpoint,
  GraphCheckpoints,
  Serialized,
  StoredCheckpoint,
} from "./ports/graph-checkpoints.ts";
export {
  type Advanced,
  type GraphRuntime,
  type GraphState,
  type GraphStep,
  NEW_GRAPH_STATE,
  type Visit,
} from "./ports/graph-runtime.ts";
export type { DiagnosticFile, HostDiagnostics } from "./ports/host-diagnostics.ts";
export { type HostRegistry, HostTakenError } from "./ports/host-registry.ts";
export {
  type CallOptions,
  type LanguageModel,
  type ModelAnswer,
  ModelError,
  type ModelErrorFacts,
  type ModelErrorReason,
  type ModelMessage,
  type ModelPiece,
  type ModelRequest,
  type ModelStop,
  type ModelTool,
  type ModelToolCall,
  type OfferedModel,
} from "./ports/language-model.ts";
export type { Logger } from "./ports/logger.ts";
export { type McpDiscovered, type McpDiscovery, McpUnavailableError } from "./ports/mcp-discovery.ts";
export {
  type McpLogin,
  type McpLoginBegun,
  type McpLoginEnd,
  McpLoginUnknownError,
} from "./ports/mcp-login.ts";
export type {
  MessageActor,
  MessageActors,
  MessageTurn,
  PlanCall,
  TurnEnd,
  TurnLog,
  TurnPlan,
  TurnPlans,
} from "./ports/message-actor.ts";
export type { ModelProviders } from "./ports/model-providers.ts";
export type { KeptOutput, OutputPage, OutputStore, OutputWriter } from "./ports/output-store.ts";
export type { PlanEngine, PlanRun, PlanRunInput, PlanRunStatus, PlanWorkflow } from "./ports/plan-engine.ts";
export type { PromptName, Prompts } from "./ports/prompts.ts";
export type { PushOutcome, PushPost, PushSender } from "./ports/push-sender.ts";
export type {
  PushConfig,
  PushCounts,
  PushFailure,
  PushKey,
  PushLease,
  PushRow,
  PushState,
  PushStore,
} from "./ports/push-store.ts";
export type { RegistryEntry, RegistryStore } from "./ports/registry-store.ts";
export {
  type RemoteActor,
  type RemoteAgent,
  RemoteAgentError,
  type RemoteAgents,
  type RemoteFinding,
  type RemoteMessage,
  type RemoteReason,
  type RemoteRest,
  type RemoteRested,
  type RemoteUpdate,
} from "./ports/remote-agent.ts";
export type { NodeCall, NodeContext, NodeStep, RemoteNodes } from "./ports/remote-nodes.ts";
export type {
  SessionCursor,
  SessionPage,
  SessionPlaces,
  SessionQuery,
  SessionStore,
} from "./ports/session-store.ts";
export {
  type FolderDiagnostic,
  type FoundSkill,
  type FoundSkills,
  SKILL_SOURCES,
  type SkillFolders,
  type SkillSource,
} from "./ports/skill-folders.ts";
export { StorageError, storageErrorIn } from "./ports/storage-error.ts";
export {
  type Command,
  type Committed,
  type Expectation,
  type FedEvent,
  type FeedFilter,
  type FeedPage,
  type FeedPosition,
  InboxConflictError,
  type InboxEntry,
  MessageSeenError,
  type NewTask,
  type SharedDocument,
  SharedMovedError,
  type SharedWrite,
  type SnapshotOptions,
  type TaskCursor,
  TaskExistsError,
  type TaskHead,
  type TaskKind,
  type TaskPage,
  type TaskQuery,
  type TaskRow,
  type TaskSnapshot,
  type TaskStore,
} from "./ports/task-store.ts";
export {
  type CallQuestion,
  InputNeededError,
  type ToolContext,
  type ToolDescriptor,
  type ToolEffect,
  ToolError,
  type ToolProvider,
  type ToolResult,
} from "./ports/tool-provider.ts";
export { type Executable, type Trust, TrustRequiredError } from "./ports/trust.ts";
export {
  type AppliedFiles,
  type ApplyRequest,
  type ApplyTarget,
  type ComparedTrees,
  type DerivedFrom,
  type HeldSize,
  type MergedTrees,
  type ProjectInspection,
  type RecoveredApply,
  type Sandbox,
  type SandboxProgress,
  type SelectedChange,
  type SelectRequest,
  type TellProgress,
  type TreesToMerge,
  type Workspace,
  WorkspaceError,
  type WorkspaceReason,
} from "./ports/workspace.ts";
export { PushDeliverer } from "./push/push-deliverer.ts";
export { pushHealth } from "./push/push-health.ts";
export { createRetryRules, type RetryRules } from "./push/retry-rules.ts";
export { ActorProbe } from "./services/actor-probe.ts";
export { ActorRunService } from "./services/actor-run-service.ts";
export { ApiKeyService } from "./services/api-key-service.ts";
export { CardService } from "./services/card-service.ts";
export { ChildPlanService } from "./services/child-plan-service.ts";
export { DecisionService } from "./services/decision-service.ts";
export { DiagnosticsService } from "./services/diagnostics-service.ts";
export { EventExportService } from "./services/event-export-service.ts";
export { EventService } from "./services/event-service.ts";
export type { CheckResult, HealthCheck } from "./services/health-check.ts";
export { HealthService } from "./services/health-service.ts";
export { InvariantService } from "./services/invariant-service.ts";
export { MessageService } from "./services/message-service.ts";
export { PlanService } from "./services/plan-service.ts";
export { PolicyService } from "./services/policy-service.ts";
export { ProfileService } from "./services/profile-service.ts";
export { PushService } from "./services/push-service.ts";
export { RegistryService, type RegistryServiceDeps } from "./services/registry-service.ts";
export { ResourceService } from "./services/resource-service.ts";
export { SandboxService } from "./services/sandbox-service.ts";
export { SessionCloser } from "./services/session-closer.ts";
export { SessionService } from "./services/session-service.ts";
export { TaskService } from "./services/task-service.ts";
export { type Consent, TrustService } from "./services/trust-service.ts";
export { UsageService } from "./services/usage-service.ts";
export { ValidationService } from "./services/validation-service.ts";
export { executablesOfSkill } from "./skills/executables-of-skill.ts";
export { SkillCatalog } from "./skills/skill-catalog.ts";
export { SkillService, type SkillServiceDeps } from "./skills/skill-service.ts";
export { inlineTool, RUN_SCRIPT } from "./skills/skill-steps.ts";
export { customToolExecutable } from "./tools/custom-tool-executable.ts";
export { standardGuards } from "./tools/guards.ts";
export type { GuardFacts, GuardVerdict, ToolGuard } from "./tools/tool-guard.ts";
export {
  type ToolAsked,
  type ToolCall,
  type ToolOutcome,
  type ToolRecorder,
  ToolRunner,
} from "./tools/tool-runner.ts";
export { dialectFor } from "./wire/dialects/dialect-for.ts";
