import type { IncomingMessage } from "node:http";
import type { HttpAnswer } from "./http-answer.ts";
import type { PublicDocument } from "./http-server-options.ts";
import { cacheHeaders, isKnown, type Written, write } from "./not-modified.ts";

/** A public document, written when it is first asked for. */
export function createDocumentEndpoint({
  type,
  text,
}: PublicDocument): (request: IncomingMessage) => HttpAnswer {
  let written: Written | undefined;
  return (request) => {
    written ??= write(text());
    const headers = cacheHeaders(written);
    return isKnown(request, written)
      ? { status: 304, headers, body: "" }
      : { status: 200, headers: { "content-type": type, ...headers }, body: written.body };
  };
}
