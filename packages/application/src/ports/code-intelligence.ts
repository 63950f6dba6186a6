import type {
  EnforcementLevel,
  JsonObject,
  LspBinding,
  LspCapability,
  LspServer,
} from "@cleveragents/domain";
import type { Sandbox } from "./workspace.ts";

/** What a language server was like when it was tried. */
export interface LspTested {
  /** What it calls itself, where it says that. */
  readonly server: { readonly name?: string; readonly version?: string };
  /** What can be asked of it, as far as its document lets it be asked. */
  readonly capabilities: readonly LspCapability[];
  /** How it counts characters. */
  readonly encoding: string;
  /** Whether it is asked for diagnostics, or publishes them. */
  readonly diagnostics: "pull" | "push";
  /** From its start until it had initialized. */
  readonly startedMs: number;
  readonly level: EnforcementLevel;
  /** A file of the project of which it was asked for diagnostics; absent where it serves none of them. */
  readonly tried?: {
    readonly path: string;
    readonly errors: number;
    readonly warnings: number;
    readonly stale: boolean;
  };
  /** Processes of it that were left when it was stopped. */
  readonly leftRunning: number;
}

/** A language server cannot be used; `reason` is stable. */
export class LspUnavailableError extends Error {
  override readonly name = "LspUnavailableError";
  readonly server: string;
  readonly reason: string;
  constructor(server: string, reason: string, message: string, options?: ErrorOptions) {
    super(message, options);
    this.server = server;
    this.reason = reason;
  }
}

/** What is known of the files that somebody works on. */
export interface CodeContext {
  /** For a model: files with their problems, then what they declare. Empty where nothing is known. */
  readonly text: string;
  /** The same for programs: `{ type: "code_context", files, truncated?, failures? }`. */
  readonly data: JsonObject;
}

export interface CodeContextRequest {
  readonly planId: string;
  readonly sandbox: Sandbox;
  /** Which servers are asked; by what lies in the project when absent. */
  readonly binding?: LspBinding | undefined;
  /** In play, the most important first, relative to the project. */
  readonly files: readonly string[];
  /** Of the text. */
  readonly maxCharacters: number;
  readonly signal: AbortSignal;
}

/** What language servers know of a plan's files, besides the tools by which they are asked. */
export interface CodeIntelligence {
  /**
   * Starts a server of its own over the sandbox, or an empty folder, tries it and stops it. Throws
   * {@link LspUnavailableError} or `TrustRequiredError`; nothing is left running either way.
   */
  test(server: LspServer, sandbox: Sandbox | undefined, signal: AbortSignal): Promise<LspTested>;
  /**
   * Starts what is bound, so that it is there when it is asked; answers for each that could not be started why not.
   * Throws `ToolError` LSP_NO_SERVER for what is bound by name and not registered.
   */
  activate(
    binding: LspBinding,
    place: Pick<CodeContextRequest, "planId" | "sandbox" | "signal">,
  ): Promise<{
    readonly servers: readonly LspServer[];
    readonly failed: readonly {
      readonly server: string;
      readonly reason: string;
      readonly message: string;
    }[];
  }>;
  /** Problems and types of files, within a budget. What cannot be found out is said, and never thrown but for CANCELLED. */
  context(request: CodeContextRequest): Promise<CodeContext>;
}
