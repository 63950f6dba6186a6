/** What is left of a value on a wire: no `undefined`, no class, nothing shared. */
export function overJson<T>(value: T): T {
  return JSON.parse(JSON.stringify(value)) as T;
}

export function lowerCased(parameters: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(parameters).map(([name, value]) => [name.toLowerCase(), value]));
}
