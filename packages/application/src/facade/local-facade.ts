import {
  A2aError,
  A2aNotAvailableError,
  A2aOperationNotFoundError,
  type A2aRequest,
  A2aResponse,
  A2aVersionMismatchError,
  type Dispatcher,
  LOCAL_PRINCIPAL,
  type Principal,
} from "@cleveragents/protocol";
import { createDispatcher } from "../dispatch/dispatcher.ts";
import { createMethodHandlers, type Services } from "../dispatch/method-handlers.ts";
import type { Clock, IdGenerator } from "../ports/clock.ts";
import type { Logger } from "../ports/logger.ts";

const SILENT: Logger = {
  debug: () => undefined,
  info: () => undefined,
  warn: () => undefined,
  error: () => undefined,
};

/**
 * The product in process: the same dispatcher as every transport's, without a wire. Services that are left out answer
 * NOT_AVAILABLE. Streaming methods need a transport and are refused here.
 */
export class A2aLocalFacade {
  readonly #dispatcher: Dispatcher;
  readonly #principal: Principal;

  constructor(deps: {
    readonly services: Partial<Services>;
    readonly clock?: Clock;
    readonly ids?: IdGenerator;
    readonly logger?: Logger;
    readonly principal?: Principal;
  }) {
    this.#dispatcher = createDispatcher({
      handlers: createMethodHandlers(deps.services),
      clock: deps.clock ?? { now: Date.now },
      // Here they only name a request that failed inside.
      ids: deps.ids ?? { next: () => crypto.randomUUID() },
      logger: deps.logger ?? SILENT,
    });
    this.#principal = deps.principal ?? LOCAL_PRINCIPAL;
  }

  /** Always an answer, never a throw. */
  async dispatch(
    request: A2aRequest,
    options: { readonly version?: string; readonly signal?: AbortSignal } = {},
  ): Promise<A2aResponse> {
    const { id, method, params } = request;
    const message = {
      kind: "call",
      request: JSON.parse(JSON.stringify({ jsonrpc: "2.0", id, method, params })),
    } as const;
    const answer = await this.#dispatcher.dispatch(message, {
      principal: this.#principal,
      serviceParameters: { "a2a-version": options.version ?? "1.0" },
      binding: "in-process",
      signal: options.signal ?? new AbortController().signal,
    });
    if (answer.kind === "one") {
      const { response } = answer;
      return "error" in response
        ? new A2aResponse({ id, error: response.error })
        : new A2aResponse({ id, result: response.result });
    }
    const error = {
      code: -32004,
      message: "Streams are followed over a transport",
      data: { reason: "NOT_AVAILABLE" },
    };
    if (answer.kind === "stream") await answer.elements[Symbol.asyncIterator]().return?.();
    return new A2aResponse({ id, error });
  }

  /** The result; throws {@link A2aError} and its kinds where `dispatch` answers an error. */
  async dispatchOrThrow(
    request: A2aRequest,
    options: { readonly version?: string; readonly signal?: AbortSignal } = {},
  ): Promise<unknown> {
    const { error, result } = await this.dispatch(request, options);
    if (error === undefined) return result;
    const reason = reasonOf(error.data);
    const details = { code: error.code, reason, data: error.data };
    if (error.code === -32601) throw new A2aOperationNotFoundError(request.method, details);
    if (reason === "NOT_AVAILABLE") throw new A2aNotAvailableError(error.message, details);
    if (reason === "VERSION_MISMATCH" || reason === "VERSION_NOT_SUPPORTED")
      throw new A2aVersionMismatchError(error.message, details);
    throw new A2aError(error.message, details);
  }
}

function reasonOf(data: unknown): string {
  const candidates = Array.isArray(data) ? data : [data];
  for (const candidate of candidates) {
    if (
      typeof candidate === "object" &&
      candidate !== null &&
      "reason" in candidate &&
      typeof candidate.reason === "string"
    )
      return candidate.reason;
  }
  return "UNKNOWN";
}
