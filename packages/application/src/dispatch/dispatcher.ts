import {
  type A2aVersion,
  type CallContext,
  type Capabilities,
  type DispatchAnswer,
  type Dispatcher,
  failure,
  HITL_EXTENSION,
  type JsonRpcRequest,
  type JsonRpcResponse,
  type MessageLimits,
  type MethodRow,
  type ParsedMessage,
  ProtocolError,
  parseMessage,
  type RequestId,
  type ServiceParameters,
  type StreamElement,
  success,
  toErrorObject,
} from "@cleveragents/protocol";
import type { Clock, IdGenerator } from "../ports/clock.ts";
import type { Logger } from "../ports/logger.ts";
import type { Asker } from "../wire/dialects/dialect.ts";
import { dialectFor } from "../wire/dialects/dialect-for.ts";
import { withHitl } from "../wire/hitl.ts";
import { activatedBy, activatedParameters, requestedExtensions } from "./activation.ts";
import { checkCapability, checkScope, checkTenant } from "./admission.ts";
import type { HandlerContext, MethodHandlers } from "./method-handlers.ts";
import { toProtocolError } from "./to-protocol-error.ts";
import { checkExtensionVersion, methodOf, versionOf } from "./version.ts";
import { paramsError } from "./violations.ts";

export interface DispatcherDeps {
  readonly handlers: MethodHandlers;
  readonly clock: Clock;
  readonly ids: IdGenerator;
  readonly logger: Logger;
  readonly limits?: MessageLimits | undefined;
  /** What is switched off; what is not named is on. */
  readonly capabilities?: Partial<Capabilities> | undefined;
  /** Versions of A2A that are served; all unless said otherwise. */
  readonly versions?: readonly A2aVersion[] | undefined;
  /** Check results against their schemas: in tests and CI, not on the hot path. */
  readonly checkResults?: boolean | undefined;
}

type Outcome = { readonly answered: ServiceParameters } & (
  | { readonly kind: "result"; readonly result: unknown }
  | {
      readonly kind: "stream";
      readonly elements: AsyncIterable<StreamElement>;
      readonly row: MethodRow;
      readonly version?: "0.3";
    }
);

/**
 * The one way in, and its one order: parse, version, method, extensions, capability, scope, params, tenant, handler,
 * answer. Transports say who is calling; this says whether they may.
 */
export function createDispatcher(deps: DispatcherDeps): Dispatcher {
  const { handlers, clock, ids, logger } = deps;

  function refuse(id: RequestId, thrown: unknown, row: MethodRow | undefined): JsonRpcResponse {
    const family = row?.family ?? "a2a";
    const error = toProtocolError(thrown, family);
    const requestId = ids.next();
    if (error.kind === "InternalError" || error.kind === "StorageUnavailable") {
      const cause =
        error.cause instanceof Error ? (error.cause.stack ?? error.cause.message) : String(error.cause);
      logger.error({ requestId, method: row?.name, error: cause }, "a request failed inside");
    }
    return failure(
      id,
      toErrorObject(error, { family, requestId, timestamp: new Date(clock.now()).toISOString() }),
    );
  }

  function checked(row: MethodRow, result: unknown): unknown {
    if (deps.checkResults !== true) return result;
    const verdict = row.result.safeParse(JSON.parse(JSON.stringify(result)));
    if (!verdict.success)
      throw new Error(`${row.name} answered what its schema does not know: ${verdict.error.message}`);
    return result;
  }

  async function* mapped(
    elements: AsyncIterable<StreamElement>,
    map: (result: unknown) => unknown,
  ): AsyncGenerator<StreamElement> {
    for await (const { cursor, seq, event, result } of elements)
      yield { cursor, seq, result: map(result), ...(event === undefined ? {} : { event }) };
  }

  /** What a dialect asks about the caller is answered by the product's own methods, so that no rule is told twice. */
  function askerFor(context: HandlerContext): Asker {
    return {
      newId: () => ids.next(),
      async hasTask(id) {
        try {
          await handlers.GetTask({ id, historyLength: 0 }, context);
          return true;
        } catch (error) {
          if (toProtocolError(error, "a2a").kind === "TaskNotFound") return false;
          throw error;
        }
      },
    };
  }

  async function run(
    request: JsonRpcRequest,
    context: CallContext,
    found: (row: MethodRow) => void,
  ): Promise<Outcome> {
    const parameters = serviceParameters(request, context);
    const version = versionOf(parameters["a2a-version"], deps.versions);
    const dialect = dialectFor(version, context.encoding);
    const { name, row, writing } = methodOf(request.method, dialect);
    found(row);
    const { requested, answerAs } = requestedExtensions(parameters, version);
    checkExtensionVersion(row, requested);
    const activated = activatedBy(row, requested);
    checkCapability(row, deps.capabilities ?? {});
    checkScope(row, context.principal);
    const handlerContext: HandlerContext = {
      principal: context.principal,
      signal: context.signal,
      extensions: activated,
      lastEventId: parameters["last-event-id"],
      binding: context.binding,
      version: dialect.version,
    };
    const given = request.params === undefined ? {} : request.params;
    const canonical = await writing.params(given, askerFor(handlerContext));
    const params = row.params.safeParse(canonical, { reportInput: true });
    if (!params.success) throw paramsError(params.error, writing.field);
    checkTenant(row, canonical, context.principal);
    const answered = activatedParameters(activated, answerAs);
    // The table ties name, params and handler together; an index by a name known only now cannot express that.
    const handler = handlers[name] as (params: unknown, context: HandlerContext) => unknown;
    const answer = handler(params.data, handlerContext);
    const told = activated.includes(HITL_EXTENSION) && row.family === "a2a" ? withHitl : undefined;
    const complete = (result: unknown) => checked(row, told === undefined ? result : told(result));
    if (row.kind === "unary")
      return { kind: "result", answered, result: writing.result(complete(await answer)) };
    const { version: elementVersion } = writing;
    const elements = answer as AsyncIterable<StreamElement>;
    // On the hot path nothing stands between a follower of A2A 1.0 and the log.
    const written =
      elementVersion === undefined && deps.checkResults !== true && told === undefined
        ? elements
        : mapped(elements, (result) => writing.element(complete(result)));
    return {
      kind: "stream",
      answered,
      row,
      elements: await begun(written),
      ...(elementVersion === undefined ? {} : { version: elementVersion }),
    };
  }

  /** One call, with every failure made into its response. */
  async function call(
    request: JsonRpcRequest,
    context: CallContext,
    streams: boolean,
  ): Promise<DispatchAnswer> {
    const notification = request.id === undefined;
    const id = request.id ?? null;
    let row: MethodRow | undefined;
    try {
      const outcome = await run(request, context, (found) => {
        row = found;
        if (found.kind === "stream" && (!streams || notification)) {
          throw new ProtocolError("InvalidRequest", {
            message: "a streaming method needs a request of its own, with an id",
          });
        }
      });
      const { answered } = outcome;
      if (outcome.kind === "stream") {
        const { elements, row: streamed, version } = outcome;
        return {
          kind: "stream",
          id,
          elements,
          ...(version === undefined ? {} : { version }),
          failed: (thrown) => refuse(id, thrown, streamed),
          serviceParameters: answered,
        };
      }
      return notification
        ? { kind: "none" }
        : { kind: "one", response: success(id, outcome.result), serviceParameters: answered };
    } catch (thrown) {
      const response = refuse(id, thrown, row);
      return notification ? { kind: "none" } : { kind: "one", response, serviceParameters: {} };
    }
  }

  async function single(
    entry: ParsedMessage & { kind: "call" | "invalid" },
    context: CallContext,
    streams: boolean,
  ): Promise<DispatchAnswer> {
    if (entry.kind === "call") return call(entry.request, context, streams);
    const error = new ProtocolError(
      entry.error,
      entry.message === undefined ? {} : { message: entry.message },
    );
    return { kind: "one", response: refuse(entry.id, error, undefined), serviceParameters: {} };
  }

  return {
    async dispatch(message, context) {
      const parsed =
        typeof message === "string" || message instanceof Uint8Array
          ? parseMessage(message, deps.limits)
          : message;
      if (parsed.kind !== "batch") return single(parsed, context, true);
      const answers = await Promise.all(parsed.entries.map((entry) => single(entry, context, false)));
      const responses = answers.flatMap((answer) => (answer.kind === "one" ? [answer.response] : []));
      return responses.length === 0 ? { kind: "none" } : { kind: "batch", responses, serviceParameters: {} };
    },
  };
}

/** Headers where the binding has them; on stdio the envelope's own member wins. */
function serviceParameters(request: JsonRpcRequest, context: CallContext): Readonly<Record<string, string>> {
  if (request.a2a === undefined || context.binding === "http") return context.serviceParameters;
  const own = Object.fromEntries(
    Object.entries(request.a2a).map(([name, value]) => [name.toLowerCase(), value]),
  );
  return { ...context.serviceParameters, ...own };
}

/** The same stream with its first element already there, so that what cannot begin is an ordinary error. */
async function begun(elements: AsyncIterable<StreamElement>): Promise<AsyncIterable<StreamElement>> {
  const iterator = elements[Symbol.asyncIterator]();
  const first = await iterator.next();
  return new Begun(first, iterator);
}

/** No generator: on the hot path it would be one more turn for each element. */
class Begun implements AsyncIterableIterator<StreamElement> {
  readonly #iterator: AsyncIterator<StreamElement>;
  #first: IteratorResult<StreamElement> | undefined;

  constructor(first: IteratorResult<StreamElement>, iterator: AsyncIterator<StreamElement>) {
    this.#first = first;
    this.#iterator = iterator;
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  next(): Promise<IteratorResult<StreamElement>> {
    const first = this.#first;
    if (first === undefined) return this.#iterator.next();
    if (first.done !== true) this.#first = undefined;
    return Promise.resolve(first);
  }

  async return(): Promise<IteratorResult<StreamElement>> {
    this.#first = { done: true, value: undefined };
    await this.#iterator.return?.();
    return { done: true, value: undefined };
  }
}
