import type { ClientTransport, JsonRpcRequest, JsonRpcResponse, StreamFrame } from "@cleveragents/protocol";

/** One connection may carry the calls of several clients, each of which counts its requests from 1. */
let lastId = 0;

/** Answers what a client posts to a JSON-RPC endpoint over HTTP, from a connection that is none. */
export function createStreamFetch(connection: ClientTransport): typeof fetch {
  return async (_url, init) => {
    const request = JSON.parse(String(init?.body)) as JsonRpcRequest;
    const {
      accept,
      "content-type": _,
      ...serviceParameters
    } = Object.fromEntries(new Headers(init?.headers));
    const ours: JsonRpcRequest = { ...request, id: `sdk-${++lastId}` };
    const theirs = (response: JsonRpcResponse) => JSON.stringify({ ...response, id: request.id ?? null });
    const left = new AbortController();
    const signals = [left.signal, ...(init?.signal ? [init.signal] : [])];
    const options = { serviceParameters, signal: AbortSignal.any(signals) };
    if (accept !== "text/event-stream") return json(theirs(await connection.request(ours, options)));

    const frames = connection.stream(ours, options)[Symbol.asyncIterator]();
    const first = await frames.next();
    // What cannot begin is an ordinary answer, of which the client makes an error of its own type.
    if (first.done !== true && "error" in first.value.response && first.value.response.error)
      return json(theirs(first.value.response));
    return new Response(events(first, frames, theirs, left), {
      headers: { "content-type": "text/event-stream" },
    });
  };
}

function json(body: string): Response {
  return new Response(body, { headers: { "content-type": "application/json" } });
}

function events(
  first: IteratorResult<StreamFrame>,
  frames: AsyncIterator<StreamFrame>,
  write: (response: JsonRpcResponse) => string,
  left: AbortController,
): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  let pending: IteratorResult<StreamFrame> | undefined = first;
  return new ReadableStream(
    {
      async pull(controller) {
        const next = pending ?? (await frames.next());
        pending = undefined;
        if (next.done === true) return controller.close();
        const id = next.value.cursor === undefined ? "" : `id: ${next.value.cursor}\n`;
        controller.enqueue(encoder.encode(`${id}data: ${write(next.value.response)}\n\n`));
      },
      async cancel() {
        left.abort();
        await frames.return?.();
      },
    },
    { highWaterMark: 0 },
  );
}
