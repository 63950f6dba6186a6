/** Words that stand in a vector for what the server chose, by their name; the first use of a name sets it. */
export type Known = Map<string, string>;

const TIME = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/;

/**
 * What is wrong with a value as against a vector's, one line each. `<id>` is any text that is not empty, `<id:task>` the
 * same text each time, `<time>` a UTC timestamp with milliseconds, `<text>` any text, `<text:word>` one with the word in
 * it, `<any>` anything that is there. An object has the members that are named and no others, unless it has `...`.
 */
export function differences(want: unknown, got: unknown, known: Known, at = "$"): string[] {
  const differs = () => [`${at} is ${JSON.stringify(got)}, not ${JSON.stringify(want)}`];
  const [, kind, name] = /^<(id|time|text|any)(?::([^>]+))?>$/.exec(String(want)) ?? [];
  if (typeof want === "string" && kind !== undefined) return fits(kind, name, got, known) ? [] : differs();
  if (Array.isArray(want)) {
    if (!Array.isArray(got) || got.length !== want.length) return differs();
    return want.flatMap((element, n) => differences(element, got[n], known, `${at}[${n}]`));
  }
  if (!isObject(want)) return Object.is(want, got) ? [] : differs();
  if (!isObject(got)) return differs();
  const { "...": open, ...members } = want;
  const more = open === true ? [] : Object.keys(got).filter((key) => !(key in members));
  return [
    ...more.map((key) => `${at}.${key} is not in the vector: ${JSON.stringify(got[key])}`),
    ...Object.entries(members).flatMap(([key, value]) => differences(value, got[key], known, `${at}.${key}`)),
  ];
}

function fits(kind: string, name: string | undefined, got: unknown, known: Known): boolean {
  if (kind === "any") return got !== undefined;
  if (typeof got !== "string") return false;
  if (kind === "time") return TIME.test(got);
  if (kind === "text") return name === undefined || got.includes(name);
  if (name === undefined || got === "") return got !== "";
  if (!known.has(name)) known.set(name, got);
  return known.get(name) === got;
}

/** The same value with every name replaced by what it stands for. */
export function filled<T>(value: T, known: Known): T {
  const text = JSON.stringify(value).replace(
    /<id:([^>]+)>/g,
    (whole, name: string) => known.get(name) ?? whole,
  );
  return JSON.parse(text) as T;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
