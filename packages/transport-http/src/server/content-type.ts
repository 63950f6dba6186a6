const ACCEPTED =
  /^application\/(?:json|a2a\+json)[ \t]*(?:;[ \t]*charset[ \t]*=[ \t]*"?utf-8"?[ \t]*)?;?[ \t]*$/i;

/**
 * Whether a body of this type is read as JSON-RPC. None at all is fine from a program; a browser may omit it to avoid
 * the preflight of a foreign page's request, so with an `Origin` it is not.
 */
export function isJsonRpcType(contentType: string | undefined, origin: string | undefined): boolean {
  if (contentType === undefined || contentType === "") return origin === undefined;
  return contentType === "application/json" || ACCEPTED.test(contentType);
}
