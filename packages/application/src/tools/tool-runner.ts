import type { JsonObject } from "@cleveragents/domain";
import {
  type ToolContext,
  type ToolDescriptor,
  ToolError,
  type ToolProvider,
  type ToolResult,
} from "../ports/tool-provider.ts";

export interface ToolCall {
  /** Unique per plan; the same call after a crash has the same id. */
  readonly callId: string;
  readonly tool: string;
  readonly args: JsonObject;
}

export type ToolOutcome =
  | { readonly ok: true; readonly result: ToolResult }
  | { readonly ok: false; readonly error: ToolError };

/** Writes down what is called, before and after, where it survives the process. */
export interface ToolRecorder {
  before(call: ToolCall, descriptor: ToolDescriptor): Promise<void>;
  after(call: ToolCall, descriptor: ToolDescriptor, outcome: ToolOutcome): Promise<void>;
}

/** Asked before every call on every path; refuses by throwing a {@link ToolError} whose reason names the guard. */
export interface ToolGuard {
  check(call: ToolCall, descriptor: ToolDescriptor, context: ToolContext): Promise<void>;
}

/**
 * The one path of every tool call: find, check the arguments, ask the guards, record, call, record. A refusal before
 * the call is recorded like a failure of it. Errors that are no `ToolError` are bugs and go up unrecorded.
 */
export class ToolRunner {
  readonly #providers: readonly ToolProvider[];
  readonly #guards: readonly ToolGuard[];

  constructor(deps: { readonly providers: readonly ToolProvider[]; readonly guards?: readonly ToolGuard[] }) {
    this.#providers = deps.providers;
    this.#guards = deps.guards ?? [];
  }

  /** Every tool there is, by name. */
  list(): readonly ToolDescriptor[] {
    return this.#providers.flatMap((provider) => provider.list()).sort((a, b) => (a.name < b.name ? -1 : 1));
  }

  find(name: string): ToolDescriptor | undefined {
    return this.#providers
      .flatMap((provider) => provider.list())
      .find((descriptor) => descriptor.name === name);
  }

  async run(call: ToolCall, context: ToolContext, recorder: ToolRecorder): Promise<ToolOutcome> {
    const provider = this.#providers.find((candidate) =>
      candidate.list().some((tool) => tool.name === call.tool),
    );
    const descriptor = provider?.list().find((tool) => tool.name === call.tool);
    if (provider === undefined || descriptor === undefined) {
      return { ok: false, error: new ToolError("TOOL_UNKNOWN", `there is no tool ${call.tool}`) };
    }
    await recorder.before(call, descriptor);
    const outcome = await this.#call(provider, descriptor, call, context);
    await recorder.after(call, descriptor, outcome);
    return outcome;
  }

  async #call(
    provider: ToolProvider,
    descriptor: ToolDescriptor,
    call: ToolCall,
    context: ToolContext,
  ): Promise<ToolOutcome> {
    try {
      const args = descriptor.input.safeParse(call.args);
      if (!args.success) {
        const problems = args.error.issues.map((issue) => `${issue.path.join(".")}: ${issue.message}`);
        throw new ToolError("TOOL_ARGUMENTS", problems.join("; "));
      }
      for (const guard of this.#guards) await guard.check(call, descriptor, context);
      return { ok: true, result: await provider.call(call.tool, args.data, context) };
    } catch (error) {
      if (error instanceof ToolError) return { ok: false, error };
      throw error;
    }
  }
}
