/** `$${` is an escape; then name, and a default that cannot hold a closing brace. */
const REFERENCE = /\$\$\{|\$\{([A-Za-z_][A-Za-z0-9_]*)(?::([^}]*))?\}/g;
const WHOLE = /^\$\{[A-Za-z_][A-Za-z0-9_]*(?::[^}]*)?\}$/;
/** `${X:-y}`, `:=`, `:?`, `:+` mean something else to a shell; a negative number is a default all the same. */
const SHELL_OPERATOR = /^[-=?+](?!\d)/;

export interface Interpolated {
  readonly value: string | number | boolean;
  /** Before it was taken for a number or a truth value. */
  readonly text: string;
  readonly problems: readonly string[];
}

/**
 * Puts in what `${VAR}` and `${VAR:default}` stand for. A text that is one reference and nothing else becomes a truth
 * value or a number if it reads as one and would be written the same way again (`1.10` and `007` stay text).
 */
export function interpolate(source: string, env: Readonly<Record<string, string | undefined>>): Interpolated {
  const problems: string[] = [];
  const text = source.replace(
    REFERENCE,
    (reference: string, name: string | undefined, otherwise: string | undefined) => {
      if (name === undefined) return "${";
      if (otherwise !== undefined && SHELL_OPERATOR.test(otherwise)) {
        problems.push(
          `${reference} is a shell's spelling: write \${${name}:default} for a default, or $${reference} to leave it to the shell`,
        );
        return reference;
      }
      const value = Object.hasOwn(env, name) ? (env[name] ?? otherwise) : otherwise;
      if (value !== undefined) return value;
      problems.push(
        `the environment variable ${name} is not set: set it, write \${${name}:default} for a default, or $${reference} if it is meant as it stands`,
      );
      return reference;
    },
  );
  return { value: problems.length === 0 && WHOLE.test(source) ? coerced(text) : text, text, problems };
}

function coerced(text: string): string | number | boolean {
  if (text === "true" || text === "false") return text === "true";
  const number = Number(text);
  return Number.isFinite(number) && String(number) === text ? number : text;
}
