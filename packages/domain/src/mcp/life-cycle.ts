export type McpState = "STOPPED" | "STARTING" | "RUNNING" | "STOPPING" | "ERROR";

const NEXT: Readonly<Record<McpState, readonly McpState[]>> = {
  STOPPED: ["STARTING"],
  STARTING: ["RUNNING", "ERROR", "STOPPING"],
  RUNNING: ["STOPPING", "ERROR"],
  STOPPING: ["STOPPED", "ERROR"],
  ERROR: ["STARTING", "STOPPED"],
};

const FIRST_MS = 500;
const LONGEST_MS = 30_000;

/** Whether a server can go from one state to another. */
export function canBecome(from: McpState, to: McpState): boolean {
  return NEXT[from].includes(to);
}

/** How long after so many failures in a row it is not started again. */
export function backOffMs(failures: number): number {
  return failures <= 0 ? 0 : Math.min(LONGEST_MS, FIRST_MS * 2 ** (failures - 1));
}
