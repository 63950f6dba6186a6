import type { PushConfig, PushState, TaskKind } from "@cleveragents/application";
import type { RegistryKind, Session, TaskState } from "@cleveragents/domain";

/** Milliseconds since the epoch, or a sequence: `bigint` in every dialect; PostgreSQL's driver hands it out as text. */
type Int = number;
/** JSON as text, so that what was written is what is read, in every dialect. */
type Json = string;

export interface TasksTable {
  task_id: string;
  context_id: string;
  principal: string;
  kind: TaskKind;
  state: TaskState;
  status_message: Json | null;
  status_at: Int;
  created_at: Int;
  updated_at: Int;
  last_seq: Int;
  epoch: Int;
  revision: Int;
  run_id: string | null;
  reference_task_ids: Json;
}

/** Beside the task, not in it: an appended chunk rewrites the task's row, and must not rewrite a large document. */
export interface TaskDocumentsTable {
  task_id: string;
  body: Json;
}

export interface TaskEventsTable {
  task_id: string;
  seq: Int;
  event_key: string;
  logged_at: Int;
  body: Json;
  /** Set for artifact events alone. */
  artifact_id: string | null;
  /** How many messages the event adds to the history. */
  messages: Int;
}

/** Where an artifact begins: what was logged before `start_seq` has been replaced. */
export interface TaskArtifactsTable {
  task_id: string;
  artifact_id: string;
  first_seq: Int;
  start_seq: Int;
}

export interface TaskInboxTable {
  task_id: string;
  entry_key: string;
  body: Json;
  /** The task's revision that added the entry, and its place in that command: the order of the inbox. */
  revision: Int;
  ordinal: Int;
  taken_at: Int | null;
}

export interface TaskMessagesTable {
  principal: string;
  message_id: string;
  task_id: string;
}

/** How many tasks there are, kept by the commits that change it, so that a page of many costs what one of few does. */
export interface TaskCountsTable {
  principal: string;
  kind: TaskKind;
  state: TaskState;
  tasks: Int;
}

export interface RegistryEntriesTable {
  kind: RegistryKind;
  name: string;
  document: Json;
  created_at: Int;
  updated_at: Int;
}

export interface SessionsTable {
  session_id: string;
  principal: string;
  actor: string | null;
  name: string | null;
  status: Session["status"];
  created_at: Int;
  updated_at: Int;
  /** What few sessions have. */
  document: Json | null;
  turn_task: string | null;
  /** What was said in it elsewhere, of one that was imported; last, since it may be long. */
  record: Json | null;
}

export interface ChangesetsTable {
  digest: string;
  changeset: Json;
  patch: string;
  stored_at: Int;
}

export interface ApiKeysTable {
  key_id: string;
  name: string;
  principal: string;
  scopes: Json;
  digest: string;
  created_at: Int;
  expires_at: Int | null;
  revoked_at: Int | null;
  /** Null for none, in keys from before there were any. */
  tenants: Json | null;
}

export interface PushConfigsTable {
  task_id: string;
  config_id: string;
  principal: string;
  url: string;
  token: string | null;
  scheme: string | null;
  credentials: string | null;
  version: PushConfig["version"];
  created_at: Int;
  state: PushState;
  delivered_seq: Int;
  attempts: Int;
  failing_since: Int | null;
  next_attempt_at: Int;
  failure: string | null;
  lease_holder: string | null;
  lease_until: Int | null;
}

export interface SharedDocumentsTable {
  id: string;
  /** 0 for one that is not there. */
  revision: Int;
  body: Json;
}

export interface GraphCheckpointsTable {
  thread: string;
  namespace: string;
  checkpoint_id: string;
  parent_id: string | null;
  /** How `content` is written, in the words of the graphs' engine. */
  kind: string;
  content: string;
  metadata_kind: string;
  metadata: string;
}

export interface GraphWritesTable {
  thread: string;
  namespace: string;
  checkpoint_id: string;
  task: string;
  ordinal: Int;
  channel: string;
  kind: string;
  content: string;
}

/** Every table of the stores, as the newest migration leaves it. */
export interface Tables {
  tasks: TasksTable;
  task_documents: TaskDocumentsTable;
  task_events: TaskEventsTable;
  task_artifacts: TaskArtifactsTable;
  task_inbox: TaskInboxTable;
  task_messages: TaskMessagesTable;
  shared_documents: SharedDocumentsTable;
  task_counts: TaskCountsTable;
  registry_entries: RegistryEntriesTable;
  sessions: SessionsTable;
  changesets: ChangesetsTable;
  api_keys: ApiKeysTable;
  push_configs: PushConfigsTable;
  graph_checkpoints: GraphCheckpointsTable;
  graph_writes: GraphWritesTable;
}
