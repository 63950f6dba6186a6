import type { CommandRow } from "../command/command-row.ts";

/** Commands that ask nobody. */
export const localCommands: readonly CommandRow[] = [
  {
    path: ["version"],
    summary: "The version of this command.",
    examples: [{ command: "agents version" }, { command: "agents -V" }],
    load: () => import("../commands/version.ts"),
  },
];
