const ALLOWED: ReadonlySet<string> = new Set([
  "PATH",
  "HOME",
  "LANG",
  "TERM",
  "TMPDIR",
  "TZ",
  "USER",
  "SHELL",
]);

/**
 * What a command may know of the host's environment, and what its caller adds. A list of what is allowed, since
 * nobody can list the names under which credentials lie in environments.
 */
export function allowedEnvironment(
  host: Readonly<Record<string, string | undefined>>,
  added: Readonly<Record<string, string>> = {},
): Record<string, string> {
  const environment: Record<string, string> = {};
  for (const [name, value] of Object.entries(host)) {
    if (value !== undefined && (ALLOWED.has(name) || name.startsWith("LC_"))) environment[name] = value;
  }
  return { ...environment, ...added };
}
