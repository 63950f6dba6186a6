import type { CustomTool } from "@cleveragents/domain";
import type { Executable } from "../ports/trust.ts";

/** What a custom tool starts, as consent to it is asked for: its command with the arguments still to be put in. */
export function customToolExecutable({ name, command, env }: CustomTool): Executable {
  const [program = "", ...args] = typeof command === "string" ? ["sh", "-c", command] : command;
  return { kind: "tool", name, command: program, args, environment: env };
}
