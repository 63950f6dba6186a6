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
export { MessageKeeper } from "./messages/message-keeper.ts";
export { MessageRunner } from "./messages/message-runner.ts";
export { PlanDriver } from "./plans/plan-driver.ts";
export { PlanPlaces } from "./plans/plan-places.ts";
export { PlanSupervisor } from "./plans/plan-supervisor.ts";
export { PlanWaker } from "./plans/plan-waker.ts";
export { SandboxJanitor } from "./plans/sandbox-janitor.ts";
export { SilentHosts } from "./plans/silent-hosts.ts";
export type { ApiKey, ApiKeyStore, MintKey } from "./ports/api-key-store.ts";
export type { ChangesetStore, StoredChangeset } from "./ports/changeset-store.ts";
export type { Clock, IdGenerator } from "./ports/clock.ts";
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
export type { DocumentReader } from "./ports/document-reader.ts";
export { type FailPoint, WITH_FAIL_POINTS } from "./ports/fail-point.ts";
export { FAIL_POINTS, type FailPointName } from "./ports/fail-point-names.ts";
export { type HostRegistry, HostTakenError } from "./ports/host-registry.ts";
export type { Logger } from "./ports/logger.ts";
export type { MessageActor, MessageTurn, TurnEnd, TurnLog } from "./ports/message-actor.ts";
export type { KeptOutput, OutputPage, OutputStore, OutputWriter } from "./ports/output-store.ts";
export type { PlanEngine, PlanRun, PlanRunInput, PlanRunStatus, PlanWorkflow } from "./ports/plan-engine.ts";
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
export type { SessionStore } from "./ports/session-store.ts";
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
  type ToolContext,
  type ToolDescriptor,
  type ToolEffect,
  ToolError,
  type ToolProvider,
  type ToolResult,
} from "./ports/tool-provider.ts";
export {
  type AppliedFiles,
  type ApplyRequest,
  type ApplyTarget,
  type ComparedTrees,
  type HeldSize,
  type ProjectInspection,
  type RecoveredApply,
  type Sandbox,
  type SandboxProgress,
  type SelectedChange,
  type SelectRequest,
  type TellProgress,
  type Workspace,
  WorkspaceError,
  type WorkspaceReason,
} from "./ports/workspace.ts";
export { PushDeliverer } from "./push/push-deliverer.ts";
export { pushHealth } from "./push/push-health.ts";
export { createRetryRules, type RetryRules } from "./push/retry-rules.ts";
export { ApiKeyService } from "./services/api-key-service.ts";
export { CardService } from "./services/card-service.ts";
export { DecisionService } from "./services/decision-service.ts";
export { EventService } from "./services/event-service.ts";
export { type HealthCheck, HealthService } from "./services/health-service.ts";
export { InvariantService } from "./services/invariant-service.ts";
export { MessageService } from "./services/message-service.ts";
export { PlanService } from "./services/plan-service.ts";
export { PolicyService } from "./services/policy-service.ts";
export { ProfileService } from "./services/profile-service.ts";
export { PushService } from "./services/push-service.ts";
export { RegistryService } from "./services/registry-service.ts";
export { SandboxService } from "./services/sandbox-service.ts";
export { SessionService } from "./services/session-service.ts";
export { TaskService } from "./services/task-service.ts";
export { ValidationService } from "./services/validation-service.ts";
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
