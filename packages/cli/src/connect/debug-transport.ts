import type { ClientTransport } from "@cleveragents/protocol";
import { cleanText } from "../output/clean.ts";

/** Shows every message on its way, one line each. Secrets are left out and no option brings them back. */
export function debugTransport(
  inner: ClientTransport,
  say: (line: string) => void,
  secrets: readonly string[] = [],
): ClientTransport {
  const show = (arrow: string, message: unknown) => say(`${arrow} ${redact(message, secrets)}`);
  return {
    async request(request, options) {
      show("-->", { ...request, a2a: options.serviceParameters });
      const response = await inner.request(request, options);
      show("<--", response);
      return response;
    },
    async *stream(request, options) {
      show("-->", { ...request, a2a: options.serviceParameters });
      for await (const frame of inner.stream(request, options)) {
        show("<--", { ...(frame.cursor === undefined ? {} : { cursor: frame.cursor }), ...frame.response });
        yield frame;
      }
    },
    [Symbol.asyncDispose]: () => inner[Symbol.asyncDispose](),
  };
}

const SECRET_KEY =
  /token$|secret|device_code$|password|passphrase|credential|authorization|api[-_]?key|private[-_]?key|cookie/i;
const PAGE_TOKEN = /page_?token$/i;
const BEARER = /\b(Bearer|Basic)\s+[A-Za-z0-9._~+/=-]+/g;

export function redact(message: unknown, secrets: readonly string[]): string {
  const text = JSON.stringify(message, (key, value) =>
    SECRET_KEY.test(key) && !PAGE_TOKEN.test(key) && value !== null ? "[redacted]" : value,
  );
  const known = secrets.filter((secret) => secret.length >= 6);
  return cleanText(
    known
      .reduce((rest, secret) => rest.replaceAll(secret, "[redacted]"), text)
      .replace(BEARER, "$1 [redacted]"),
  );
}
