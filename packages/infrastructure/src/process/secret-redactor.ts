const SECRET_NAME =
  /TOKEN|SECRET|PASS(WORD|WD|PHRASE)?(_|$)|API_?KEY|ACCESS_?KEY|PRIVATE_?KEY|(_|^)KEY(_|$)|CREDENTIAL|(_|^)AUTH(_|$)|COOKIE/i;
/** Shorter ones are words of ordinary output. */
const SHORTEST = 8;
export const REDACTED = "[redacted]";

type Variables = Readonly<Record<string, string | undefined>>;

/**
 * Values of variables whose names say that they are secret, and passwords within addresses; longest first. A
 * certificate or a key of several lines counts line by line too, since programs print it so.
 */
export function secretsOf(...environments: readonly Variables[]): string[] {
  const found = new Set<string>();
  const add = (value: string): void => {
    if (value.length >= SHORTEST) found.add(value);
  };
  for (const [name, value] of environments.flatMap((environment) => Object.entries(environment))) {
    if (value === undefined) continue;
    if (SECRET_NAME.test(name)) for (const one of [value, value.trim(), ...value.split("\n")]) add(one);
    const password = /:\/\/[^/\s:@]*:([^/\s@]+)@/.exec(value)?.[1];
    if (password !== undefined) add(password);
  }
  return [...found].sort((a, b) => b.length - a.length);
}

/**
 * Takes secrets out of a text that comes in pieces, wherever it was cut: what may be the beginning of one is held back
 * until it is known.
 */
export class SecretRedactor {
  readonly #secrets: readonly string[];
  readonly #pattern: RegExp | undefined;
  #held = "";

  constructor(secrets: readonly string[]) {
    this.#secrets = secrets;
    this.#pattern = secrets.length === 0 ? undefined : new RegExp(secrets.map(literally).join("|"), "g");
  }

  push(text: string): string {
    if (this.#pattern === undefined) return text;
    const whole = this.#held + text;
    const from = this.#openFrom(whole);
    this.#held = whole.slice(from);
    return whole.slice(0, from).replace(this.#pattern, REDACTED);
  }

  end(): string {
    const rest = this.#held;
    this.#held = "";
    return this.#pattern === undefined ? rest : rest.replace(this.#pattern, REDACTED);
  }

  /** Where something begins that may become a secret, or a longer one, with what comes next. */
  #openFrom(text: string): number {
    const longest = this.#secrets[0]?.length ?? 0;
    let open = text.length;
    for (let at = Math.max(0, text.length - longest + 1); at < text.length && open === text.length; at += 1) {
      const rest = text.slice(at);
      if (this.#secrets.some((secret) => secret.length > rest.length && secret.startsWith(rest))) open = at;
    }
    // A whole secret must not be cut in two by what is held back behind its beginning.
    for (const { index, 0: match } of text.matchAll(this.#pattern as RegExp))
      if (index < open && index + match.length > open) return index;
    return open;
  }
}

const literally = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&");
