import type { IncomingHttpHeaders } from "node:http";

const ACCEPTED =
  /^application\/(?:json|a2a\+json)[ \t]*(?:;[ \t]*charset[ \t]*=[ \t]*"?utf-8"?[ \t]*)?;?[ \t]*$/i;

export const A2A_TYPE = "application/a2a+json";

/** What an answer over HTTP+JSON is called: as the caller calls it, else as A2A §11.1 does. */
export function restTypeOf(contentType: string | undefined, accept: string | undefined): string {
  const bare = (text: string | undefined) => text?.split(";")[0]?.trim().toLowerCase();
  const own = bare(contentType);
  if (own === "application/json" || own === A2A_TYPE) return own;
  const wanted = (accept ?? "").split(",").map(bare);
  return wanted.includes("application/json") && !wanted.includes(A2A_TYPE) ? "application/json" : A2A_TYPE;
}

/**
 * Whether a body of such headers is read as JSON. No type at all is fine from a program; a browser may omit it to avoid
 * the preflight of a foreign page's request, so with an `Origin` it is not. Nothing compressed is taken apart.
 */
export function isReadable(headers: IncomingHttpHeaders): boolean {
  const coding = headers["content-encoding"] ?? "";
  return (
    (coding === "" || coding.toLowerCase() === "identity") &&
    isJsonRpcType(headers["content-type"], headers.origin)
  );
}

export function isJsonRpcType(contentType: string | undefined, origin: string | undefined): boolean {
  if (contentType === undefined || contentType === "") return origin === undefined;
  return contentType === "application/json" || ACCEPTED.test(contentType);
}
