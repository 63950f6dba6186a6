import type { PushKey } from "../ports/push-store.ts";

/** Posts at a time. A receiver that hangs keeps one of them for as long as a post may take. */
const MOST = 256;

/** What is done for one row, one thing at a time. */
export interface PushLane {
  readonly key: PushKey;
  /** Is begun again after so long; a wake-up before that is no reason. */
  waitFor(ms: number): void;
  /** Nothing is owed there any more. */
  end(): void;
}

export interface PushLanesDeps {
  readonly work: (lane: PushLane) => Promise<void>;
  /** Tells of news in a task's log; answers the way to stop. */
  readonly watch: (taskId: string, wake: () => void) => () => void;
}

/** The lanes of one task. */
interface TaskLanes {
  readonly lanes: Map<string, Lane>;
  readonly stopWatching: () => void;
}

/** The rows that this process knows of. Woken while it works, a lane works once more; woken while it waits, it waits. */
export class PushLanes {
  readonly most = MOST;
  readonly #deps: PushLanesDeps;
  readonly #byTask = new Map<string, TaskLanes>();
  readonly #running = new Map<Lane, Promise<void>>();
  readonly #queue = new Set<Lane>();
  #closed = false;

  constructor(deps: PushLanesDeps) {
    this.#deps = deps;
  }

  get busy(): boolean {
    return this.#running.size > 0;
  }

  /** `atOnce`: what it waits for has changed. */
  begin({ taskId, configId }: PushKey, { atOnce = false } = {}): void {
    if (this.#closed) return;
    const { lanes } = this.#byTask.get(taskId) ?? this.#watch(taskId);
    let lane = lanes.get(configId);
    if (lane === undefined) {
      lane = new Lane(
        { taskId, configId },
        (woken) => this.#go(woken),
        () => this.#forget(taskId, configId),
      );
      lanes.set(configId, lane);
    }
    if (atOnce) lane.awake();
    this.#go(lane);
  }

  /** Waits for what is being worked on, and begins nothing more. */
  async close(): Promise<void> {
    this.#closed = true;
    this.#queue.clear();
    for (const { lanes, stopWatching } of this.#byTask.values()) {
      stopWatching();
      for (const lane of lanes.values()) lane.awake();
    }
    this.#byTask.clear();
    await Promise.all(this.#running.values());
  }

  #watch(taskId: string): TaskLanes {
    const lanes = new Map<string, Lane>();
    const stopWatching = this.#deps.watch(taskId, () => {
      for (const lane of lanes.values()) this.#go(lane);
    });
    const task = { lanes, stopWatching };
    this.#byTask.set(taskId, task);
    return task;
  }

  #go(lane: Lane): void {
    if (this.#closed || lane.waits) return;
    if (this.#running.has(lane)) lane.again = true;
    else if (this.#running.size >= MOST) this.#queue.add(lane);
    else this.#running.set(lane, this.#run(lane));
  }

  async #run(lane: Lane): Promise<void> {
    // Not before it is among those that run.
    await undefined;
    do {
      lane.again = false;
      await this.#deps.work(lane);
    } while (lane.again && !lane.waits && !this.#closed);
    this.#running.delete(lane);
    const [next] = this.#queue;
    if (next === undefined) return;
    this.#queue.delete(next);
    this.#go(next);
  }

  #forget(taskId: string, configId: string): void {
    const task = this.#byTask.get(taskId);
    task?.lanes.delete(configId);
    if (task?.lanes.size !== 0) return;
    task.stopWatching();
    this.#byTask.delete(taskId);
  }
}

/** The longest that a timer can take. */
const LONGEST_MS = 2 ** 31 - 1;

class Lane implements PushLane {
  readonly key: PushKey;
  readonly end: () => void;
  again = false;
  readonly #go: (lane: Lane) => void;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(key: PushKey, go: (lane: Lane) => void, end: () => void) {
    this.key = key;
    this.#go = go;
    this.end = end;
  }

  get waits(): boolean {
    return this.#timer !== undefined;
  }

  waitFor(ms: number): void {
    this.awake();
    this.#timer = setTimeout(
      () => {
        this.#timer = undefined;
        this.#go(this);
      },
      Math.min(Math.max(ms, 0), LONGEST_MS),
    );
    this.#timer.unref?.();
  }

  awake(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }
}
