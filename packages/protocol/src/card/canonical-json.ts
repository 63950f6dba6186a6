/**
 * The one text of a JSON value (RFC 8785): members in the order of their UTF-16 code units, no white space, numbers and
 * strings as ECMAScript writes them, which is what the RFC asks for. Members that are undefined are absent.
 */
export function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(",")}]`;
  if (typeof value !== "object" || value === null) {
    if (typeof value === "number" && !Number.isFinite(value)) throw new TypeError("JSON has no such number");
    return JSON.stringify(value);
  }
  const members = Object.entries(value)
    .filter(([, member]) => member !== undefined)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, member]) => `${JSON.stringify(name)}:${canonicalJson(member)}`);
  return `{${members.join(",")}}`;
}
