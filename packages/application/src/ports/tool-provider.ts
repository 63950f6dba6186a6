import type { Amounts, AskOption, CallInput, JsonObject, LspBinding, Part } from "@cleveragents/domain";
import type { z } from "zod";
import type { CommandEnvironment } from "./command-environments.ts";
import type { ModelAnswer, ModelRequest } from "./language-model.ts";
import type { HeldSize, Sandbox } from "./workspace.ts";

/** What a call leaves behind if it has to be undone. */
export type ToolEffect = "none" | "sandbox" | "compensable" | "irreversible";

export interface ToolDescriptor {
  /** Full name, e.g. `builtin/write_file`. */
  readonly name: string;
  /** Names by which it is found and called too; lists do not show them. */
  readonly aliases?: readonly string[];
  readonly description: string;
  readonly source: "builtin" | "mcp" | "lsp" | "agent_skill" | "custom";
  /** Checks what a call brings. */
  readonly input: z.ZodType<JsonObject>;
  /** What a model is told of it: JSON Schema of an object. Of a foreign tool the schema itself, as it came. */
  readonly inputSchema: JsonObject;
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
  /** Language servers that may be asked; all that are registered when absent. */
  readonly lsp?: LspBinding;
  /** Told what is made ready before a call's work begins, and then nothing, when that is done. */
  readonly onPreparing?: (size?: HeldSize) => void;
  readonly onOutput?: (chunk: string, stream: "stdout" | "stderr") => void;
  /** What was answered to questions of this call; absent where nobody can be asked. See {@link InputNeededError}. */
  readonly inputs?: readonly CallInput[];
  /**
   * Has a model answer something for the call, charged to the plan; absent where there is no model. Throws
   * {@link ToolError} where the profile or the budget does not let it, and {@link InputNeededError}.
   */
  readonly sample?: (model: string, request: ModelRequest) => Promise<ModelAnswer>;
}

/** What a call asks of a human in its middle. */
export interface CallQuestion {
  /** The same for the same question of the same call. */
  readonly key: string;
  readonly prompt: string;
  readonly options: readonly AskOption[];
  /** Whether any text answers it. */
  readonly freeText: boolean;
  /** For programs that ask: a schema of the answer, and the like. */
  readonly details?: JsonObject;
}

/**
 * A call that cannot go on before a human has answered. It is given up, and made again from its beginning with the answer,
 * `{ choice, text }`, among its `inputs`, whatever happens to the process meanwhile. Only where there are `inputs`.
 */
export class InputNeededError extends Error {
  override readonly name = "InputNeededError";
  readonly question: CallQuestion;
  constructor(question: CallQuestion) {
    super(question.prompt);
    this.question = question;
  }
}

export interface ToolResult {
  /** For later steps and for a model: small, JSON. */
  readonly value: JsonObject;
  /** One line for people. */
  readonly summary: string;
  /** What else it has brought, for people and other agents: pictures, resources. */
  readonly parts?: readonly Part[];
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
  /**
   * Reads anew what there is, where that changes while the process runs. The new list takes the place of the old one at
   * once; where it cannot be read the old one stays, and it throws.
   */
  refresh?(): Promise<void>;
  /** Arguments have passed the descriptor's schema. Throws {@link ToolError}. */
  call(name: string, args: JsonObject, context: ToolContext): Promise<ToolResult>;
  /** Before it is listed the first time. */
  load?(): Promise<void>;
  /** The plan waits or is over: what runs for it alone can end. A later call starts it again. Throws nothing. */
  rest?(planId: string): Promise<void>;
  /** Settles when nothing is left of what it has started; calls that go on may take that long. */
  close?(drainMs: number): Promise<void>;
}
