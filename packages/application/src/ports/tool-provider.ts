import type { Amounts, JsonObject } from "@cleveragents/domain";
import type { z } from "zod";
import type { CommandEnvironment } from "./command-environments.ts";
import type { HeldSize, Sandbox } from "./workspace.ts";

/** What a call leaves behind if it has to be undone. */
export type ToolEffect = "none" | "sandbox" | "compensable" | "irreversible";

export interface ToolDescriptor {
  /** Full name, e.g. `builtin/write_file`. */
  readonly name: string;
  readonly description: string;
  readonly source: "builtin" | "mcp" | "lsp" | "agent_skill" | "custom";
  readonly input: z.ZodType<JsonObject>;
  readonly readOnly: boolean;
  readonly idempotent: boolean;
  readonly effect: ToolEffect;
  /** Of a tool that runs commands: what it would run, and names of variables that it sets for it. */
  readonly commandOf?: (
    args: JsonObject,
  ) => { readonly command: string | readonly string[]; readonly environment: readonly string[] } | undefined;
  /** Whether this very call asks for the network. */
  readonly networkOf?: (args: JsonObject) => boolean;
  /** What a call may cost, reserved before it is made; a call without costs is one call. */
  readonly costOf?: (args: JsonObject) => Amounts;
}

export interface ToolContext {
  readonly planId: string;
  readonly sandbox: Sandbox;
  readonly signal: AbortSignal;
  readonly network: boolean;
  /** Nothing may change the sandbox: the phase only looks. */
  readonly readOnly?: boolean;
  /** Where the plan's commands run; on the host when absent. */
  readonly environment?: CommandEnvironment;
  /** Told what is made ready before a call's work begins, and then nothing, when that is done. */
  readonly onPreparing?: (size?: HeldSize) => void;
  readonly onOutput?: (chunk: string, stream: "stdout" | "stderr") => void;
}

export interface ToolResult {
  /** For later steps and for a model: small, JSON. */
  readonly value: JsonObject;
  /** One line for people. */
  readonly summary: string;
  /** What it has really cost; what was reserved when absent. */
  readonly used?: Amounts;
}

/** The call was understood and refused or failed; `reason` is stable. Everything else that is thrown is a bug. */
export class ToolError extends Error {
  override readonly name = "ToolError";
  readonly reason: string;
  readonly details: JsonObject;
  constructor(reason: string, message: string, details: JsonObject = {}, options?: ErrorOptions) {
    super(message, options);
    this.reason = reason;
    this.details = details;
  }
}

/** A source of tools. Listing starts nothing. */
export interface ToolProvider {
  list(): readonly ToolDescriptor[];
  /** Arguments have passed the descriptor's schema. Throws {@link ToolError}. */
  call(name: string, args: JsonObject, context: ToolContext): Promise<ToolResult>;
}
