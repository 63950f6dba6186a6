import {
  type CallContext,
  type DispatchAnswer,
  type Dispatcher,
  failure,
  type JsonRpcRequest,
  type JsonRpcResponse,
  type MessageLimits,
  type MethodRow,
  type ParsedMessage,
  ProtocolError,
  parseExtensions,
  parseMessage,
  type RequestId,
  type StreamElement,
  success,
  toErrorObject,
} from "@cleveragents/protocol";
import type { Clock, IdGenerator } from "../ports/clock.ts";
import type { Logger } from "../ports/logger.ts";
import { activatedBy, activatedParameters } from "./activation.ts";
import type { HandlerContext, MethodHandlers } from "./method-handlers.ts";
import { toProtocolError } from "./to-protocol-error.ts";
import { checkExtensionVersion, dialectOf, methodOf } from "./version.ts";
import { paramsError } from "./violations.ts";

export interface DispatcherDeps {
  readonly handlers: MethodHandlers;
  readonly clock: Clock;
  readonly ids: IdGenerator;
  readonly logger: Logger;
  readonly limits?: MessageLimits | undefined;
  /** Check results against their schemas: in tests and CI, not on the hot path. */
  readonly checkResults?: boolean | undefined;
}

type Outcome =
  | { readonly kind: "result"; readonly result: unknown; readonly activated: readonly string[] }
  | {
      readonly kind: "stream";
      readonly elements: AsyncIterable<StreamElement>;
      readonly row: MethodRow;
      readonly activated: readonly string[];
    };

/**
 * The one way in, and its one order: parse, version, method, extensions, scope, params, handler, answer. Transports say
 * who is calling; this says whether they may.
 */
export function createDispatcher(deps: DispatcherDeps): Dispatcher {
  const { handlers, clock, ids, logger } = deps;

  function refuse(id: RequestId, thrown: unknown, row: MethodRow | undefined): JsonRpcResponse {
    const family = row?.family ?? "a2a";
    const error = toProtocolError(thrown, family);
    const requestId = ids.next();
    if (error.kind === "InternalError") {
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

  async function* checkedElements(
    row: MethodRow,
    elements: AsyncIterable<StreamElement>,
  ): AsyncGenerator<StreamElement> {
    for await (const element of elements) {
      checked(row, element.result);
      yield element;
    }
  }

  async function run(
    request: JsonRpcRequest,
    context: CallContext,
    found: (row: MethodRow) => void,
  ): Promise<Outcome> {
    const parameters = serviceParameters(request, context);
    const dialect = dialectOf(parameters["a2a-version"]);
    const { name, row } = methodOf(request.method, dialect);
    found(row);
    const requested = parseExtensions(parameters["a2a-extensions"]);
    checkExtensionVersion(row, requested);
    const activated = activatedBy(row, requested);
    if (!context.principal.scopes.includes(row.scope)) {
      throw new ProtocolError(row.family === "a2a" ? "PermissionDenied" : "Forbidden", {
        details: { scope: row.scope },
      });
    }
    const params = row.params.safeParse(request.params === undefined ? {} : request.params, {
      reportInput: true,
    });
    if (!params.success) throw paramsError(params.error);
    const handlerContext: HandlerContext = {
      principal: context.principal,
      signal: context.signal,
      extensions: activated,
      lastEventId: parameters["last-event-id"],
    };
    // The table ties name, params and handler together; an index by a name known only now cannot express that.
    const handler = handlers[name] as (params: unknown, context: HandlerContext) => unknown;
    const answer = handler(params.data, handlerContext);
    if (row.kind === "stream") {
      const elements =
        deps.checkResults === true
          ? checkedElements(row, answer as AsyncIterable<StreamElement>)
          : (answer as AsyncIterable<StreamElement>);
      return { kind: "stream", elements: await begun(elements), row, activated };
    }
    return { kind: "result", result: checked(row, await answer), activated };
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
      const answered = activatedParameters(outcome.activated);
      if (outcome.kind === "stream") {
        return {
          kind: "stream",
          id,
          elements: outcome.elements,
          failed: (thrown) => refuse(id, thrown, outcome.row),
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
  return (async function* () {
    try {
      for (let next = first; next.done !== true; next = await iterator.next()) yield next.value;
    } finally {
      await iterator.return?.();
    }
  })();
}
