/** The versions of A2A that are served, the preferred one first. */
export const A2A_VERSIONS = ["1.0", "0.3"] as const;
export type A2aVersion = (typeof A2A_VERSIONS)[number];

/** The version that a text names (A2A §3.6): Major.Minor counts, a patch does not. Undefined for every other one. */
export function readVersion(given: string): A2aVersion | undefined {
  const match = /^(\d+\.\d+)(?:\.\d+)?$/.exec(given.trim());
  return A2A_VERSIONS.find((version) => version === match?.[1]);
}
