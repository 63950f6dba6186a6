import type { MethodRow } from "./define-method.ts";

/** What an agent may leave out of A2A (A2A §3.3.4). */
export interface Capabilities {
  readonly streaming: boolean;
  readonly pushNotifications: boolean;
  readonly extendedAgentCard: boolean;
}

/** The capability that a method needs; undefined where every agent has the method. */
export function capabilityOf(row: MethodRow): keyof Capabilities | undefined {
  if (row.family !== "a2a") return undefined;
  if (row.kind === "stream") return "streaming";
  if (row.group === "push") return "pushNotifications";
  return row.name === "GetExtendedAgentCard" ? "extendedAgentCard" : undefined;
}
