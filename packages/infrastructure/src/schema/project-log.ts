import type { TaskEvent, TaskState } from "@cleveragents/domain";

/** An entry of a log as it is stored. */
export interface StoredEntry {
  readonly seq: number;
  readonly at: number;
  readonly body: string;
}

/** What a log says its task's row and artifacts are; null for what only a status tells, before the first. */
export interface ProjectedLog {
  readonly lastSeq: number;
  readonly state: TaskState;
  readonly statusMessage: string | null;
  readonly statusAt: number | null;
  /** By id, in order of first appearance; what was logged of one before `startSeq` has been replaced. */
  readonly artifacts: ReadonlyMap<string, { readonly firstSeq: number; readonly startSeq: number }>;
}

/** What an entry's own row says of its body. */
export function columnsOf(event: TaskEvent): {
  readonly artifactId: string | null;
  readonly messages: number;
} {
  if (event.type === "artifact") return { artifactId: event.artifact.artifactId, messages: 0 };
  const { message, received } = event;
  return { artifactId: null, messages: (message === undefined ? 0 : 1) + (received === undefined ? 0 : 1) };
}

/** Folds a log, entry by entry in order, into what the stores keep beside it: the log is the truth, this follows from it. */
export class LogProjection implements ProjectedLog {
  lastSeq = 0;
  state: TaskState = "submitted";
  statusMessage: string | null = null;
  statusAt: number | null = null;
  readonly artifacts = new Map<string, { firstSeq: number; startSeq: number }>();

  push({ seq, at, body }: StoredEntry): void {
    const event = JSON.parse(body) as TaskEvent;
    this.lastSeq = seq;
    if (event.type === "status") {
      this.state = event.state;
      this.statusMessage = event.message === undefined ? null : JSON.stringify(event.message);
      this.statusAt = at;
      return;
    }
    const known = this.artifacts.get(event.artifact.artifactId);
    if (known === undefined) this.artifacts.set(event.artifact.artifactId, { firstSeq: seq, startSeq: seq });
    else if (!event.append) known.startSeq = seq;
  }
}
