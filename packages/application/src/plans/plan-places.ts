import type { Plan } from "@cleveragents/domain";

/** When those whose turn it is are called again, in milliseconds after the call before; the last one repeats. */
const AGAIN_MS = [20, 80, 320, 1280, 5000, 30_000];

export interface PlanPlacesDeps {
  /** How many plans are carried out at a time. */
  readonly places: number;
  /** Lets a plan look whether it is its turn. A hint: it may be lost. */
  readonly call: (planId: string) => Promise<void>;
  /** Whether a plan still wants what it stands in line for. */
  readonly wants: (planId: string) => Promise<boolean>;
}

/**
 * The places of plans that are carried out (Execute), and the line of those that wait for one: first come, first served.
 * A place is held from turn to turn until the plan waits for something, or is over. Everything here is of this process;
 * since when a plan stands in line is in its document, so that the line is the same after a restart.
 */
export class PlanPlaces {
  readonly #deps: PlanPlacesDeps;
  readonly #holders = new Set<string>();
  /** Since when, by plan. */
  readonly #line = new Map<string, number>();
  /** Plans of which a turn is under way. */
  readonly #working = new Set<string>();
  /** Holders of which nothing was seen at the last look. */
  #still = new Set<string>();
  #timer: ReturnType<typeof setTimeout> | undefined;
  #calls = 0;
  #stopped = false;

  constructor(deps: PlanPlacesDeps) {
    this.#deps = deps;
  }

  /** Takes a place, or stands in line since then. Asked again, whoever stands in line keeps their place in it. */
  enter(planId: string, since: number): boolean {
    this.#still.delete(planId);
    if (this.#holders.has(planId)) return true;
    this.#line.set(planId, Math.min(since, this.#line.get(planId) ?? since));
    if (this.#indexOf(planId) >= this.#free) return false;
    this.#line.delete(planId);
    this.#holders.add(planId);
    return true;
  }

  /** Gives the place up, or the place in the line; whoever is next is called. */
  leave(planId: string): void {
    const had = this.#holders.delete(planId) || this.#line.has(planId);
    this.#line.delete(planId);
    this.#still.delete(planId);
    if (had) this.#callNext();
  }

  /** Before the first turn after a start: what was carried out goes on first, then the line as it was. */
  recall({ planId, stage, queuedSince, steps }: Plan): void {
    if (queuedSince !== undefined) this.#line.set(planId, queuedSince);
    // One that sleeps has no place, and asks for one when it wakes.
    else if (
      stage.phase === "execute" &&
      stage.state === "processing" &&
      steps.every(({ until }) => until === undefined)
    )
      this.#line.set(planId, 0);
  }

  /** Where a plan stands in the line, from 1; undefined where it does not. */
  positionOf(planId: string): number | undefined {
    return this.#line.has(planId) ? this.#indexOf(planId) + 1 : undefined;
  }

  get places(): number {
    return this.#deps.places;
  }

  /** Now and then: places of plans that went on elsewhere, or were lost with their run, are given to others. */
  async tidy(): Promise<void> {
    for (const planId of [...this.#still]) if (!this.#working.has(planId)) this.leave(planId);
    this.#still = new Set([...this.#holders].filter((planId) => !this.#working.has(planId)));
    for (const planId of [...this.#line.keys()]) if (!(await this.#deps.wants(planId))) this.leave(planId);
    this.#callNext();
  }

  /** A turn of a plan has begun, or has ended. */
  works(planId: string, now: boolean): void {
    if (now) this.#working.add(planId);
    else this.#working.delete(planId);
  }

  stop(): void {
    this.#stopped = true;
    clearTimeout(this.#timer);
  }

  get #free(): number {
    return this.#deps.places - this.#holders.size;
  }

  /** By time; of the same time the plan that was made first, as ids tell. */
  #inOrder(): readonly string[] {
    return [...this.#line.entries()]
      .sort(([a, from], [b, since]) => from - since || (a < b ? -1 : 1))
      .map(([planId]) => planId);
  }

  #indexOf(planId: string): number {
    return this.#inOrder().indexOf(planId);
  }

  #callNext(): void {
    clearTimeout(this.#timer);
    this.#calls = 0;
    this.#call();
  }

  /** A call is lost where a plan is only about to wait: those whose turn it is are called until they come. */
  #call(): void {
    const next = this.#inOrder().slice(0, Math.max(0, this.#free));
    if (next.length === 0 || this.#stopped) return;
    for (const planId of next) void this.#deps.call(planId).catch(() => undefined);
    this.#timer = setTimeout(() => this.#call(), AGAIN_MS[Math.min(this.#calls++, AGAIN_MS.length - 1)]);
    this.#timer.unref?.();
  }
}
