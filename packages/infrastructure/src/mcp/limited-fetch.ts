const NEWLINE = 10;

/** `fetch` whose answers fail when one JSON document, or one line of a stream of events, has more bytes than allowed. */
export function limitedFetch(maxBytes: number): typeof fetch {
  return async (input, init) => {
    const response = await fetch(input, init);
    if (response.body === null) return response;
    const isStream = response.headers.get("content-type")?.includes("text/event-stream") === true;
    const limited = response.body.pipeThrough(limit(maxBytes, isStream));
    const copy = new Response(limited, response);
    // A response that is made has no address of its own, and redirects are judged by it.
    Object.defineProperty(copy, "url", { value: response.url });
    return copy;
  };
}

function limit(maxBytes: number, perLine: boolean): TransformStream<Uint8Array, Uint8Array> {
  let size = 0;
  return new TransformStream({
    transform(chunk, controller) {
      const end = perLine ? chunk.lastIndexOf(NEWLINE) : -1;
      const first = perLine ? chunk.indexOf(NEWLINE) : -1;
      const longest = first < 0 ? size + chunk.length : size + first;
      if (longest > maxBytes || (end >= 0 && chunk.length - end > maxBytes))
        return controller.error(new Error(`it sent a message of more than ${maxBytes} bytes`));
      size = end < 0 ? size + chunk.length : chunk.length - end - 1;
      controller.enqueue(chunk);
    },
  });
}
