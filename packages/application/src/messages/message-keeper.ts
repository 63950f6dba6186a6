import { FencedError, isTerminal, type Message, TaskStateError } from "@cleveragents/domain";
import type { Clock, IdGenerator } from "../ports/clock.ts";
import type { Logger } from "../ports/logger.ts";
import type { TaskHead, TaskRow, TaskStore } from "../ports/task-store.ts";
import { atRest, messageDocumentOf, toDocument, turnRun } from "./message-document.ts";
import type { MessageRunner } from "./message-runner.ts";
import type { SessionLine } from "./session-line.ts";

const SWEEP_MS = 5000;
const PAGE = 1000;
/** How often a turn may end its process before it is given up: it must not do so for ever. An orderly stop is no end. */
const ATTEMPTS = 3;

export interface MessageKeeperDeps {
  readonly store: TaskStore;
  /** Undefined when nobody answers messages any more: what was begun then fails. */
  readonly runner: MessageRunner | undefined;
  /** Where messages of sessions wait for their turn. */
  readonly line?: SessionLine | undefined;
  readonly clock: Clock;
  readonly ids: IdGenerator;
  readonly logger: Logger;
}

/** Looks after message tasks whose process died: their turn is run again, and after some attempts fails. */
export class MessageKeeper {
  readonly #deps: MessageKeeperDeps;
  #timer: ReturnType<typeof setInterval> | undefined;

  constructor(deps: MessageKeeperDeps) {
    this.#deps = deps;
  }

  /** `alone`: no other process works on this store, so that every lease is a dead one's. */
  async start(alone: boolean): Promise<void> {
    await this.sweep(alone);
    this.#timer = setInterval(() => {
      this.sweep(false).catch((error: unknown) =>
        this.#deps.logger.error({ error: String(error) }, "interrupted messages could not be looked for"),
      );
    }, SWEEP_MS);
    this.#timer.unref?.();
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  async sweep(alone: boolean): Promise<void> {
    const { store, runner, line } = this.#deps;
    const waiting = new Set<string>();
    for (let page = await this.#page(); page.length > 0; page = await this.#page(page.at(-1))) {
      for (const { taskId, runId } of page) {
        if (runId === null || runner?.runs(taskId) === true) continue;
        const row = await store.load(taskId);
        if (row === undefined) continue;
        if (line !== undefined && messageDocumentOf(row).queued === true) waiting.add(row.contextId);
        else await this.#look(row, alone);
      }
    }
    // After what was cut off, whose turn it still is.
    for (const sessionId of waiting) await line?.call(sessionId);
  }

  #page(after?: TaskHead): Promise<readonly TaskHead[]> {
    return this.#deps.store.unfinishedHeads("message", PAGE, after);
  }

  async #look(row: TaskRow, alone: boolean): Promise<void> {
    const { clock, logger } = this.#deps;
    const { leaseUntil = messageDocumentOf(row).queued && 0 } = messageDocumentOf(row);
    if (isTerminal(row.state) || leaseUntil === undefined) return;
    if (!alone && leaseUntil > clock.now()) return;
    try {
      await this.#takeOver(row);
    } catch (error) {
      if (error instanceof FencedError || error instanceof TaskStateError) return; // somebody else was faster
      logger.error({ taskId: row.taskId, error: String(error) }, "an interrupted message was not taken over");
    }
  }

  async #takeOver(row: TaskRow): Promise<void> {
    const { store, runner } = this.#deps;
    const { taskId, epoch, revision } = row;
    const document = messageDocumentOf(row);
    const snapshot = await store.snapshot(taskId, { artifacts: false });
    const message = snapshot?.history.filter((said) => said.role === "user").at(-1);
    const deaths = document.attempt - (document.stops ?? 0);
    if (runner === undefined || message === undefined || deaths >= ATTEMPTS) {
      await store.commit({
        taskId,
        expect: { epoch, revision },
        bumpEpoch: true,
        document: toDocument(atRest(document)),
        runId: null,
        events: [
          {
            key: `interrupted:${epoch}`,
            event: { type: "status", state: "failed", message: this.#interrupted(row) },
          },
        ],
      });
      if (document.session === true) void this.#deps.line?.call(row.contextId);
      return;
    }
    const again = { ...document, attempt: document.attempt + 1, leaseUntil: runner.lease() };
    const committed = await store.commit({
      taskId,
      expect: { epoch, revision },
      bumpEpoch: true,
      document: toDocument(again),
      runId: turnRun(again),
    });
    const { contextId, principal } = row;
    runner.begin({ taskId, contextId, principal, epoch: committed.epoch, document: again, message });
  }

  #interrupted({ taskId, contextId }: TaskRow): Message {
    return {
      messageId: this.#deps.ids.next(),
      role: "agent",
      taskId,
      contextId,
      parts: [{ kind: "text", text: "The agent was interrupted while it worked on this; send it again." }],
    };
  }
}
