import {
  type CallContext,
  type ClientTransport,
  type Dispatcher,
  type JsonRpcRequest,
  type JsonRpcResponse,
  type Principal,
  type SendOptions,
  type StreamFrame,
  success,
  TransportError,
} from "@cleveragents/protocol";
import { lowerCased, overJson } from "./over-json.ts";

/** A client's transport without a wire. Everything goes through JSON text, so that it is no kinder than one. */
export function createDispatcherTransport(dispatcher: Dispatcher, principal: Principal): ClientTransport {
  const open = new Set<AbortController>();

  function begin(options: SendOptions): {
    readonly controller: AbortController;
    readonly context: CallContext;
  } {
    const controller = new AbortController();
    open.add(controller);
    const { signal } = options;
    if (signal?.aborted === true) controller.abort();
    signal?.addEventListener("abort", () => controller.abort(), { once: true });
    const serviceParameters = lowerCased(options.serviceParameters);
    return {
      controller,
      context: { principal, serviceParameters, binding: "in-process", signal: controller.signal },
    };
  }

  async function request(request: JsonRpcRequest, options: SendOptions): Promise<JsonRpcResponse> {
    const { controller, context } = begin(options);
    try {
      const answer = await orAborted(
        dispatcher.dispatch(JSON.stringify(request), context),
        controller.signal,
      );
      if (answer.kind === "one") return overJson(answer.response);
      throw new TransportError("BAD_RESPONSE", `a request was answered with ${answer.kind}`);
    } finally {
      open.delete(controller);
    }
  }

  async function* stream(request: JsonRpcRequest, options: SendOptions): AsyncGenerator<StreamFrame> {
    const { controller, context } = begin(options);
    try {
      const answer = await orAborted(
        dispatcher.dispatch(JSON.stringify(request), context),
        controller.signal,
      );
      if (answer.kind === "one") yield { response: overJson(answer.response) };
      if (answer.kind !== "stream") return;
      try {
        for await (const { cursor, event, result } of answer.elements) {
          if (controller.signal.aborted) throw new TransportError("ABORTED", "the caller gave up");
          yield { cursor, event, response: overJson(success(answer.id, result)) };
        }
      } catch (thrown) {
        if (TransportError.is(thrown)) throw thrown;
        yield { response: overJson(answer.failed(thrown)) };
      }
      if (controller.signal.aborted) throw new TransportError("ABORTED", "the caller gave up");
    } finally {
      controller.abort();
      open.delete(controller);
    }
  }

  return {
    request,
    stream,
    async [Symbol.asyncDispose]() {
      for (const controller of open) controller.abort();
    },
  };
}

function orAborted<T>(answer: Promise<T>, signal: AbortSignal): Promise<T> {
  const aborted = new Promise<never>((_, reject) => {
    const give = () => reject(new TransportError("ABORTED", "the caller gave up"));
    if (signal.aborted) give();
    signal.addEventListener("abort", give, { once: true });
  });
  return Promise.race([answer, aborted]);
}
