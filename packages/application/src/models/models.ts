import {
  costOf,
  isModelName,
  type ModelSettings,
  type Provider,
  parseModelName,
  settingsOf,
  type TokenUsage,
} from "@cleveragents/domain";
import type { Clock } from "../ports/clock.ts";
import {
  type CallOptions,
  type ModelAnswer,
  ModelError,
  type ModelRequest,
  type OfferedModel,
} from "../ports/language-model.ts";
import type { Logger } from "../ports/logger.ts";
import type { ModelProviders } from "../ports/model-providers.ts";
import { CallLine } from "./call-line.ts";
import { estimateRequest, estimateUsage } from "./estimate-request.ts";
import { type Pause, pause } from "./pause.ts";

/** What a request is sent again after at the latest; a server that wants more is not waited for. */
const LONGEST_PAUSE_MS = 120_000;
const FIRST_PAUSE_MS = 1000;

export interface ModelsDeps {
  readonly providers: ModelProviders;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly pause?: Pause | undefined;
  /** From 0 to 1, so that many who wait do not come back together. */
  readonly random?: (() => number) | undefined;
}

export interface FoundModel {
  /** `provider/model`. */
  readonly name: string;
  readonly model: string;
  readonly provider: Provider;
  readonly settings: ModelSettings;
}

export interface Completion {
  readonly answer: ModelAnswer;
  readonly usage: TokenUsage;
  /** The server has not said what it was. */
  readonly estimated: boolean;
  /** US dollars; undefined where nobody has said what the model costs. */
  readonly cost: number | undefined;
  /** How often it was sent. */
  readonly tries: number;
}

/**
 * Every call of every model: in the line of its provider, with patience for what passes. An answer of which something
 * has come already is never asked for again here, since somebody has seen it.
 */
export class Models {
  readonly #deps: ModelsDeps;
  readonly #lines = new Map<string, CallLine>();

  constructor(deps: ModelsDeps) {
    this.#deps = deps;
  }

  async providers(): Promise<readonly Provider[]> {
    return this.#deps.providers.all();
  }

  /** Throws `ModelError` (MODEL_UNKNOWN): there is no such provider, or it is no model's name. */
  async find(name: string): Promise<FoundModel> {
    const all = await this.#deps.providers.all();
    const known = all.map((provider) => provider.name).join(", ");
    if (!isModelName(name))
      throw new ModelError(
        "MODEL_UNKNOWN",
        `"${name}" is no model: write provider/model; there are ${known}`,
      );
    const { provider: wanted, model } = parseModelName(name);
    const provider = all.find((candidate) => candidate.name === wanted);
    if (provider === undefined)
      throw new ModelError("MODEL_UNKNOWN", `there is no provider ${wanted}; there are ${known}`);
    return { name, model, provider, settings: settingsOf(provider, model) };
  }

  /** Throws {@link ModelError} when patience is over, or the signal's reason. */
  async complete(name: string, request: ModelRequest, options: CallOptions): Promise<Completion> {
    const { provider, model, settings } = await this.find(name);
    const port = this.#deps.providers.open(provider);
    const done = await this.#patiently(provider, options.signal, () =>
      port.complete(model, request, options),
    );
    const usage = done.value.usage ?? estimateUsage(request, done.value);
    return {
      answer: done.value,
      usage,
      estimated: done.value.usage === undefined,
      cost: settings.prices === undefined ? undefined : costOf(usage, settings.prices),
      tries: done.tries,
    };
  }

  /** What the provider's server says that it has. */
  async offered(provider: Provider, signal: AbortSignal): Promise<readonly OfferedModel[]> {
    return this.#deps.providers.open(provider).offered(signal);
  }

  /** About how many tokens a request has. */
  estimate(request: ModelRequest): number {
    return estimateRequest(request);
  }

  async #patiently<T>(
    provider: Provider,
    signal: AbortSignal,
    call: () => Promise<T>,
  ): Promise<{ readonly value: T; readonly tries: number }> {
    const line = this.#lineOf(provider.name);
    for (let tries = 1; ; tries++) {
      if (line.pause > 0) await this.#pause(line.pause, signal);
      try {
        return { value: await line.run(provider.maxConcurrent, signal, call), tries };
      } catch (error) {
        if (!(error instanceof ModelError) || !error.transient || error.begun || tries > provider.retries)
          throw error;
        const ms = this.#pauseAfter(error, tries);
        if (ms > LONGEST_PAUSE_MS) throw error;
        if (error.retryAfterMs !== undefined) line.pauseFor(ms);
        this.#deps.logger.warn(
          { provider: provider.name, reason: error.reason, tries, pauseMs: Math.round(ms) },
          "a model did not answer; it is asked again",
        );
        await this.#pause(ms, signal);
      }
    }
  }

  #pauseAfter({ retryAfterMs }: ModelError, tries: number): number {
    const random = this.#deps.random?.() ?? Math.random();
    // What the server has asked for, and a little more: others have been told the same.
    if (retryAfterMs !== undefined) return retryAfterMs + random * Math.min(1000, retryAfterMs / 4);
    const longest = Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** (tries - 1));
    return longest / 2 + (random * longest) / 2;
  }

  #pause(ms: number, signal: AbortSignal): Promise<void> {
    return (this.#deps.pause ?? pause)(ms, signal);
  }

  #lineOf(provider: string): CallLine {
    const known = this.#lines.get(provider);
    if (known !== undefined) return known;
    const line = new CallLine(() => this.#deps.clock.now());
    this.#lines.set(provider, line);
    return line;
  }
}
