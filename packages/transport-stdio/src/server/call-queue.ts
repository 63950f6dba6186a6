export interface CallQueueOptions {
  readonly maxConcurrent: number;
  readonly maxWaiting: number;
  readonly maxWaitingBytes: number;
}

interface Waiting {
  readonly bytes: number;
  readonly work: () => Promise<void>;
}

/** Runs so many calls at once and keeps the others in line, in their order. */
export class CallQueue {
  readonly #options: CallQueueOptions;
  readonly #line: Waiting[] = [];
  #lineBytes = 0;
  #running = 0;
  #room: PromiseWithResolvers<void> | undefined;

  constructor(options: CallQueueOptions) {
    this.#options = options;
  }

  /** Undefined as long as more may be added, else a promise of that. `work` never throws. */
  add(bytes: number, work: () => Promise<void>): Promise<void> | undefined {
    if (this.#running < this.#options.maxConcurrent) {
      this.#start(work);
      return undefined;
    }
    this.#line.push({ bytes, work });
    this.#lineBytes += bytes;
    if (!this.#full) return undefined;
    this.#room ??= Promise.withResolvers<void>();
    return this.#room.promise;
  }

  get #full(): boolean {
    return this.#line.length >= this.#options.maxWaiting || this.#lineBytes >= this.#options.maxWaitingBytes;
  }

  #start(work: () => Promise<void>): void {
    this.#running++;
    void work().finally(() => {
      this.#running--;
      this.#startNext();
    });
  }

  #startNext(): void {
    const next = this.#line.shift();
    if (next === undefined) return;
    this.#lineBytes -= next.bytes;
    this.#start(next.work);
    if (this.#full) return;
    this.#room?.resolve();
    this.#room = undefined;
  }
}
