export type { ChangesetStore, StoredChangeset } from "./ports/changeset-store.ts";
export type { Clock, IdGenerator } from "./ports/clock.ts";
export { CommandNotStartedError, type CommandRequest, type CommandResult, type CommandRunner } from "./ports/command-runner.ts";
export type { DocumentReader } from "./ports/document-reader.ts";
export type { Logger } from "./ports/logger.ts";
export type { PlanEngine, PlanRun, PlanRunInput, PlanRunStatus, PlanWorkflow } from "./ports/plan-engine.ts";
export type { RegistryEntry, RegistryStore } from "./ports/registry-store.ts";
export type { SessionStore } from "./ports/session-store.ts";
export {
  type Command,
  type Committed,
  type Expectation,
  InboxConflictError,
  type InboxEntry,
  MessageSeenError,
  type NewTask,
  type OutboxEntry,
  type SnapshotOptions,
  type TaskCursor,
  TaskExistsError,
  type TaskKind,
  type TaskPage,
  type TaskQuery,
  type TaskRow,
  type TaskSnapshot,
  type TaskStore,
} from "./ports/task-store.ts";
export { type ToolContext, type ToolDescriptor, type ToolEffect, ToolError, type ToolProvider, type ToolResult } from "./ports/tool-provider.ts";
export {
  type AppliedFiles,
  type ApplyRequest,
  type ComparedTrees,
  type ProjectInspection,
  type RecoveredApply,
  type Sandbox,
  type Workspace,
  WorkspaceError,
  type WorkspaceReason,
} from "./ports/workspace.ts";
