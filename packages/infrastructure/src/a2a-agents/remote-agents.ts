import { join } from "node:path";
import {
  type RemoteActor,
  type RemoteAgent,
  RemoteAgentError,
  type RemoteAgents,
  type RemoteFinding,
} from "@cleveragents/application";
import { type EgressOptions, egressOf } from "./egress.ts";
import { type GuardedFetchOptions, guardedFetch } from "./guarded-fetch.ts";
import { readCredential } from "./remote-credential.ts";

export interface HttpRemoteAgentsOptions extends EgressOptions {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Credentials are read from files in its folder `keys`. */
  readonly dataDir: string;
  /** Whether an address is this agent's own, which must not wait for itself. */
  readonly isOwn?: ((url: URL) => boolean) | undefined;
}

/** What the two kinds of remote actors need to be opened. */
export interface Way {
  /** With the actor's credential: for where the agent itself is, as its actor or its card says. */
  readonly fetch: typeof fetch;
  /** Without it: for cards, and for files that are named. */
  readonly plainFetch: typeof fetch;
  readonly isOwn: (url: URL) => boolean;
}

/** Bytes of one answer that is no stream. */
const MOST_BYTES = 16 * 1024 * 1024;

/** Agents and graphs elsewhere, by HTTP. What speaks with them is loaded when the first one is called. */
export class HttpRemoteAgents implements RemoteAgents {
  readonly #options: HttpRemoteAgentsOptions;
  readonly #egress: ReturnType<typeof egressOf>;

  /** Throws `AllowListError`. */
  constructor(options: HttpRemoteAgentsOptions) {
    this.#options = options;
    this.#egress = egressOf(options);
  }

  async open(actor: RemoteActor, signal: AbortSignal): Promise<RemoteAgent> {
    const way = await this.#way(actor);
    if (actor.type === "a2a") return (await import("./a2a-agent.ts")).openA2aAgent(actor, way, signal);
    return (await import("../remote-graph/graph-agent.ts")).openGraphAgent(actor, way);
  }

  async probe(actor: RemoteActor, signal: AbortSignal): Promise<readonly RemoteFinding[]> {
    let way: Way;
    try {
      way = await this.#way(actor);
    } catch (error) {
      signal.throwIfAborted();
      if (!(error instanceof RemoteAgentError)) throw error;
      return [{ probe: "credential", verdict: "failed", detail: error.message }];
    }
    const credential: RemoteFinding = {
      probe: "credential",
      verdict: "ok",
      detail: actor.credential === undefined ? "none is sent" : "it is there",
    };
    const more =
      actor.type === "a2a"
        ? await (await import("./probe-a2a.ts")).probeA2a(actor, way, signal)
        : await (await import("../remote-graph/probe-graph.ts")).probeGraph(actor, way, signal);
    return [credential, ...more];
  }

  async #way(actor: RemoteActor): Promise<Way> {
    const { env, dataDir, isOwn = () => false } = this.#options;
    const asked =
      actor.type === "remote_graph" && actor.credential !== undefined
        ? { header: "x-api-key", ...actor.credential }
        : actor.credential;
    const credential = await readCredential({ env, folder: join(dataDir, "keys") }, asked);
    const options: GuardedFetchOptions = {
      egress: this.#egress(),
      silenceMs: actor.limits.silence * 1000,
      maxBytes: MOST_BYTES,
    };
    return { fetch: guardedFetch({ ...options, credential }), plainFetch: guardedFetch(options), isOwn };
  }
}
