import type { LoggedEvent } from "@cleveragents/domain";
import type { Clock, IdGenerator } from "../ports/clock.ts";
import type { Logger } from "../ports/logger.ts";
import type { PushSender } from "../ports/push-sender.ts";
import type { PushKey, PushRow, PushStore } from "../ports/push-store.ts";
import type { TaskStore } from "../ports/task-store.ts";
import { eventNotification, type Notification, taskNotification } from "./notification.ts";
import { type PushLane, PushLanes } from "./push-lanes.ts";
import { createRetryRules, type RetryRules } from "./retry-rules.ts";

export interface PushDelivererDeps {
  readonly store: TaskStore;
  readonly push: PushStore;
  readonly sender: PushSender;
  readonly clock: Clock;
  readonly ids: IdGenerator;
  readonly logger: Logger;
  readonly retries?: RetryRules | undefined;
}

/** Long enough for a few beats to be missed; so long do the rows of a process that died wait for another one. */
const LEASE_MS = 15_000;
const BEAT_MS = LEASE_MS / 3;
/** How often rows are looked for that nobody works on, as those of a process that died. */
const POLL_MS = 5000;

/**
 * Posts what the log says to whoever asked for it. Each row is a lane of its own: in order, one at a time, from its
 * cursor on; lanes do not wait for each other. The cursor moves when the receiver has confirmed, so that what is cut
 * off in between is posted again, and nothing is left out.
 */
export class PushDeliverer {
  readonly #deps: PushDelivererDeps;
  readonly #holder: string;
  readonly #retries: RetryRules;
  readonly #lanes: PushLanes;
  readonly #ended = new AbortController();
  #poll: ReturnType<typeof setInterval> | undefined;

  constructor(deps: PushDelivererDeps) {
    this.#deps = deps;
    this.#holder = deps.ids.next();
    this.#retries = deps.retries ?? createRetryRules();
    this.#lanes = new PushLanes({
      work: (lane) => this.#work(lane),
      watch: (taskId, wake) => deps.store.watch(taskId, wake),
    });
  }

  /** `alone`: no other process works on this store, so that every lease is a dead one's. */
  async start(alone: boolean): Promise<void> {
    const { push } = this.#deps;
    if (alone) await push.free();
    for (const key of await push.active()) this.#lanes.begin(key);
    this.#poll = setInterval(() => void this.#sweep(), POLL_MS);
    this.#poll.unref?.();
  }

  /** Something is owed to a row that is new, or has changed. */
  follow(key: PushKey): void {
    this.#lanes.begin(key, { atOnce: true });
  }

  /** Whether something is being posted. */
  get busy(): boolean {
    return this.#lanes.busy;
  }

  /** What is being posted is cut off, and posted again by whoever delivers next. */
  async stop(): Promise<void> {
    clearInterval(this.#poll);
    this.#ended.abort();
    await this.#lanes.close();
    await this.#deps.push.free(this.#holder).catch((error: unknown) => this.#trouble(error));
  }

  async #sweep(): Promise<void> {
    const { push, clock } = this.#deps;
    try {
      for (const key of await push.due(clock.now(), this.#lanes.most)) this.#lanes.begin(key);
    } catch (error) {
      this.#trouble(error);
    }
  }

  /** Until nothing is owed, somebody else delivers, or the receiver has to be waited for. */
  async #work(lane: PushLane): Promise<void> {
    try {
      let row = await this.#take(lane);
      if (row === undefined) return;
      const task = await this.#deps.store.load(row.taskId);
      if (task === undefined) return;
      const page: LoggedEvent[] = [];
      while (row !== undefined && !this.#ended.signal.aborted) {
        const next = await this.#next(row, task.contextId, page);
        if (next === undefined) return;
        row = await this.#deliver(lane, row, next);
      }
    } catch (error) {
      this.#trouble(error);
      lane.waitFor(POLL_MS);
    }
  }

  /** The row, leased to us; nothing is written where nothing is owed. */
  async #take(lane: PushLane): Promise<PushRow | undefined> {
    const { store, push, clock } = this.#deps;
    const row = await push.find(lane.key);
    if (row === undefined || row.state !== "active") {
      lane.end();
      return undefined;
    }
    const now = clock.now();
    if (row.nextAttemptAt > now) return void lane.waitFor(row.nextAttemptAt - now);
    const task = await store.load(row.taskId);
    if (task === undefined || task.lastSeq <= row.deliveredSeq) return undefined;
    const { lease } = row;
    if (lease !== undefined && lease.until > now) {
      if (lease.holder !== this.#holder) return void lane.waitFor(lease.until - now);
      if (lease.until > now + BEAT_MS) return row;
    }
    return push.claim(lane.key, this.#lease(), now);
  }

  async #next(row: PushRow, contextId: string, page: LoggedEvent[]): Promise<Notification | undefined> {
    const { store } = this.#deps;
    if (row.version === "0.3") {
      const snapshot = await store.snapshot(row.taskId, { artifacts: true });
      return snapshot === undefined || snapshot.row.lastSeq <= row.deliveredSeq
        ? undefined
        : taskNotification(row, snapshot);
    }
    if (page.length === 0) page.push(...(await store.events(row.taskId, row.deliveredSeq)));
    const logged = page.shift();
    return logged && eventNotification(row, logged, contextId);
  }

  async #deliver(
    lane: PushLane,
    row: PushRow,
    { seq, last, post }: Notification,
  ): Promise<PushRow | undefined> {
    const { push, sender, clock } = this.#deps;
    const beat = setInterval(() => {
      push.renew(lane.key, this.#lease()).catch((error: unknown) => this.#trouble(error));
    }, BEAT_MS);
    const outcome = await sender.post(post, this.#ended.signal).finally(() => clearInterval(beat));
    // Cut off by ourselves: whether it has arrived is not known, and it was nobody's failure.
    if (this.#ended.signal.aborted) return undefined;
    const now = clock.now();
    const failingSince = row.failingSince ?? now;
    const verdict = this.#retries(outcome, { attempts: row.attempts, failingSince, now });
    if (verdict.kind === "delivered") {
      const advanced = await push.advance(lane.key, this.#lease(), seq, last);
      if (advanced?.state !== "delivered") return advanced;
      lane.end();
      return undefined;
    }
    const givenUp = verdict.kind === "given-up";
    const afterMs = givenUp ? 0 : verdict.afterMs;
    const attempts = row.attempts + 1;
    const failed = {
      attempts,
      failingSince,
      nextAttemptAt: now + afterMs,
      failure: verdict.failure,
      givenUp,
    };
    // Void where it was deleted or replaced meanwhile: then that was another one's failure.
    if (!(await push.fail(lane.key, this.#holder, failed))) return undefined;
    this.#tell(row, attempts, verdict.failure, givenUp);
    if (givenUp) lane.end();
    else lane.waitFor(afterMs);
    return undefined;
  }

  #lease() {
    return { holder: this.#holder, until: this.#deps.clock.now() + LEASE_MS };
  }

  /** Other people's receivers fail every day: no warning of ours. The rest of an address may be a secret. */
  #tell({ taskId, configId, url }: PushRow, attempts: number, failure: string, givenUp: boolean): void {
    const fields = { taskId, configId, receiver: new URL(url).host, attempts, failure };
    if (givenUp) this.#deps.logger.info(fields, "a receiver of notifications is given up");
    else this.#deps.logger.debug(fields, "a notification did not arrive; it is tried again");
  }

  #trouble(error: unknown): void {
    this.#deps.logger.warn({ error: String(error) }, "notifications cannot be looked after; they are later");
  }
}
