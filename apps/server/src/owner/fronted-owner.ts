import { setTimeout as sleep } from "node:timers/promises";
import type { Logger } from "@cleveragents/application";
import { type Authenticator, type Dispatcher, TransportError } from "@cleveragents/protocol";
import { type Discovery, readDiscovery } from "@cleveragents/transport-stdio/client";
import { type Forwarding, forwardTo } from "./forwarding-dispatcher.ts";
import { LocalTokens } from "./local-tokens.ts";
import { readinessOf } from "./readiness.ts";
import type { Owner } from "./run-owner.ts";

export interface FrontedOwnerOptions {
  readonly dataDir: string;
  readonly logger: Logger;
  /** Makes this process the owner, with this credential if there is no other; undefined while another process is. */
  readonly own: (token: string) => Promise<Owner | undefined>;
}

const AGAIN_MS = 1000;
/** A directory that cannot be owned is not tried again at once. */
const AFTER_FAILURE_MS = 5000;

/**
 * The owner of a data directory, for a server in front of it: another process, and after that one this process itself if
 * no third one is faster. Calls go to whichever it is, as their callers', before as after.
 */
export class FrontedOwner implements AsyncDisposable {
  readonly tokens: LocalTokens;
  readonly dispatcher: Dispatcher;
  /** Knows the callers whose keys the owner knows. */
  readonly keys: Authenticator;
  /** See `Agent.damaged`, once this process is the owner. */
  readonly damaged: Promise<"damaged">;
  readonly #damage: (word: "damaged") => void;
  readonly #options: FrontedOwnerOptions;
  readonly #forwarding: Forwarding;
  #discovery: Discovery;
  #owned: Owner | undefined;
  #taking: Promise<void> | undefined;
  #url: string | undefined;
  readonly #stopping = new AbortController();

  /** Undefined when there is no owner yet, or not any more. `TransportError` TIMEOUT when one is there and is silent. */
  static async reach(options: FrontedOwnerOptions): Promise<FrontedOwner | undefined> {
    const discovery = await readDiscovery(options.dataDir);
    if (discovery === undefined) return undefined;
    let front: FrontedOwner | undefined;
    try {
      const forwarding = await forwardTo({
        dataDir: options.dataDir,
        startOwner: async () => {
          if (front !== undefined) await front.#own();
          return undefined;
        },
        onLost: () => {
          if (front !== undefined) void front.#recover();
        },
      });
      front = new FrontedOwner(options, forwarding, discovery);
      return front;
    } catch (error) {
      if (TransportError.is(error) && error.reason !== "TIMEOUT") return undefined;
      throw error;
    }
  }

  private constructor(options: FrontedOwnerOptions, forwarding: Forwarding, discovery: Discovery) {
    this.#options = options;
    this.#forwarding = forwarding;
    this.#discovery = discovery;
    this.tokens = new LocalTokens(discovery.token);
    const { promise, resolve } = Promise.withResolvers<"damaged">();
    this.damaged = promise;
    this.#damage = resolve;
    this.dispatcher = {
      dispatch: (message, context) =>
        (this.#owned?.agent.dispatcher ?? forwarding.dispatcher).dispatch(message, context),
    };
    this.keys = {
      schemes: forwarding.keys.schemes,
      authenticate: (credentials) =>
        (this.#owned?.agent.authenticator ?? forwarding.keys).authenticate(credentials),
    };
  }

  /** How the other process is reached, as long as there is one. */
  get discovery(): Discovery {
    return this.#discovery;
  }

  async ready(): Promise<{ readonly ready: boolean; readonly checks: Readonly<Record<string, unknown>> }> {
    if (this.#owned === undefined)
      return { ready: await this.#forwarding.alive(), checks: { owner: this.#discovery.pid } };
    return readinessOf(this.#owned.agent, this.#options.logger);
  }

  /** Where this process serves HTTP, for the discovery file once it is the owner. */
  async serveAt(url: string): Promise<void> {
    this.#url = url;
    await this.#owned?.announce({ url });
  }

  /** The HTTP server has ended: nothing is taken over any more, and what was is given back. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#stopping.abort();
    await this.#taking?.catch(() => {});
    await this.#forwarding[Symbol.asyncDispose]();
    await this.#owned?.close();
  }

  /** After the loss of an owner: until somebody serves the directory, lest its plans stand still. */
  async #recover(): Promise<void> {
    const { signal } = this.#stopping;
    while (!signal.aborted && !(await this.#forwarding.answers())) {
      await sleep(AGAIN_MS, undefined, { signal, ref: false }).catch(() => {});
    }
    const discovery = await readDiscovery(this.#options.dataDir);
    if (discovery === undefined) return;
    this.#discovery = discovery;
    this.tokens.accept(discovery.token);
  }

  async #own(): Promise<void> {
    if (this.#stopping.signal.aborted || this.#owned !== undefined) return;
    this.#taking ??= this.#take().finally(() => {
      this.#taking = undefined;
    });
    await this.#taking;
  }

  async #take(): Promise<void> {
    const { logger, dataDir, own } = this.#options;
    try {
      this.#owned = await own(this.tokens.first);
      if (this.#owned === undefined) return;
      void this.#owned.agent.damaged.then(() => this.#damage("damaged"));
      logger.warn({ dataDir }, "the owner of the data directory is gone: this process owns it now");
      if (this.#url !== undefined) await this.#owned.announce({ url: this.#url });
    } catch (error) {
      logger.error({ dataDir, error: String(error) }, "the data directory has no owner and cannot be owned");
      await sleep(AFTER_FAILURE_MS, undefined, { signal: this.#stopping.signal, ref: false }).catch(() => {});
      throw error;
    }
  }
}
