export type Facts = Readonly<Record<string, unknown>>;

/** Members of what a peer sent, where they are what they should be. */
export function text(value: unknown): string | undefined {
  return typeof value === "string" ? value : undefined;
}

export function number(value: unknown): number | undefined {
  return typeof value === "number" && Number.isFinite(value) ? value : undefined;
}

export function record(value: unknown): Facts | undefined {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Facts) : undefined;
}
