const REDACTED = "[redacted]";
const MAX_DEPTH = 8;

/** Names of fields that hold credentials; those that only end so, such as `accessToken` or `x-api-key`, too. */
const SECRET =
  /(authorization|cookie|token|secret|password|passwd|passphrase|apikey|privatekey|credentials?|databaseurl|connectionstring)$/;

const BEARER = /\b(Bearer|Basic)\s+[\w.~+/-]+=*/gi;
const URL_PASSWORD = /\b([a-z][a-z0-9+.-]*:\/\/[^\s/:@]*):[^\s/@]+@/gi;

/** Text without credentials of the kinds that get into messages of errors. */
export function redactText(text: string): string {
  return text.replace(BEARER, `$1 ${REDACTED}`).replace(URL_PASSWORD, `$1:${REDACTED}@`);
}

/** Makes a copy of anything that is plain JSON and holds no credentials, at any depth. Never throws. */
export function createRedaction(more: readonly string[] = []): (fields: object) => Record<string, unknown> {
  const own = new Set(more.map(plain));

  const isSecret = (name: string): boolean => {
    const key = plain(name);
    return SECRET.test(key) || own.has(key);
  };

  const copy = (value: unknown, above: readonly object[]): unknown => {
    if (typeof value === "string") return redactText(value);
    if (typeof value === "bigint") return value.toString();
    if (typeof value === "function" || typeof value === "symbol") return undefined;
    if (typeof value !== "object" || value === null) return value;
    if (above.includes(value)) return "[circular]";
    if (above.length >= MAX_DEPTH) return "[deeper]";
    const inner = [...above, value];
    if (Array.isArray(value)) return value.map((item) => copy(item, inner));
    if (ArrayBuffer.isView(value)) return `[${value.byteLength} bytes]`;
    if (value instanceof Date) return Number.isNaN(value.getTime()) ? null : value.toISOString();
    if (value instanceof URL) return redactText(value.href);
    if (value instanceof Map)
      return entries(
        [...value].map(([key, item]) => [String(key), item]),
        inner,
      );
    if (value instanceof Set) return [...value].map((item) => copy(item, inner));
    if (value instanceof Error) return entries(errorEntries(value), inner);
    return entries(readable(value), inner);
  };

  const entries = (
    pairs: readonly (readonly [string, unknown])[],
    above: readonly object[],
  ): Record<string, unknown> =>
    Object.fromEntries(
      pairs.map(([name, value]) => [
        name,
        isSecret(name) && value !== undefined && value !== null ? REDACTED : copy(value, above),
      ]),
    );

  return (fields) => entries(readable(fields), [fields]);
}

/** `X-API-Key`, `x_api_key` and `xApiKey` are one name. */
const plain = (name: string): string => name.toLowerCase().replace(/[^a-z0-9]/g, "");

/** Fields of an object; one that throws when it is read costs only itself. */
function readable(value: object): [string, unknown][] {
  return Object.keys(value).map((name) => {
    try {
      return [name, (value as Record<string, unknown>)[name]];
    } catch {
      return [name, "[unreadable]"];
    }
  });
}

function errorEntries(error: Error): [string, unknown][] {
  const own = readable(error).filter(([name]) => !["name", "message", "stack", "cause"].includes(name));
  const cause: [string, unknown][] = error.cause === undefined ? [] : [["cause", error.cause]];
  return [["type", error.name], ["message", error.message], ["stack", error.stack], ...own, ...cause];
}
