import type { JsonObject } from "@cleveragents/domain";
import {
  type CallQuestion,
  InputNeededError,
  type ToolContext,
  type ToolDescriptor,
  ToolError,
  type ToolProvider,
  type ToolResult,
} from "../ports/tool-provider.ts";
import type { GuardFacts, GuardVerdict, ToolGuard } from "./tool-guard.ts";

export interface ToolCall {
  /** Unique per plan; the same call after a crash has the same id. */
  readonly callId: string;
  readonly tool: string;
  readonly args: JsonObject;
}

export type ToolOutcome =
  | { readonly ok: true; readonly result: ToolResult }
  | {
      readonly ok: false;
      readonly error: ToolError;
      /** It is to be made again when somebody has answered this. */
      readonly needs?: CallQuestion;
    };

/** Not called: a human has to let it pass first. */
export interface ToolAsked {
  readonly asked: GuardVerdict;
}

/** Writes down what is called, before and after, where it survives the process. */
export interface ToolRecorder {
  /** In the same commit as it charges the call. */
  before(call: ToolCall, descriptor: ToolDescriptor, allowed: GuardVerdict | undefined): Promise<void>;
  /** A guard forbids it, and it is not made. */
  denied(call: ToolCall, verdict: GuardVerdict): Promise<void>;
  after(call: ToolCall, descriptor: ToolDescriptor, outcome: ToolOutcome): Promise<void>;
}

/**
 * The one path of every tool call: find, check the arguments, ask the guards, record, call, record. A call that is
 * denied or asked about is not made. Errors that are no `ToolError` are bugs and go up unrecorded.
 */
export class ToolRunner {
  readonly #providers: readonly ToolProvider[];
  readonly #guards: readonly ToolGuard[];

  constructor(deps: { readonly providers: readonly ToolProvider[]; readonly guards?: readonly ToolGuard[] }) {
    this.#providers = deps.providers;
    this.#guards = deps.guards ?? [];
  }

  /** Lets every source look what there is by now. Throws what the first that cannot has thrown, when all have looked. */
  async refresh(): Promise<void> {
    const looked = await Promise.allSettled(this.#providers.map(async (provider) => provider.refresh?.()));
    for (const outcome of looked) if (outcome.status === "rejected") throw outcome.reason;
  }

  /** Every tool there is, by name. */
  list(): readonly ToolDescriptor[] {
    return this.#providers.flatMap((provider) => provider.list()).sort((a, b) => (a.name < b.name ? -1 : 1));
  }

  find(name: string): ToolDescriptor | undefined {
    return this.#providers
      .flatMap((provider) => provider.list())
      .find((descriptor) => isCalled(descriptor, name));
  }

  /**
   * What the guards say of a call that its caller carries out by itself, over many turns. The caller records it, and that
   * it was denied.
   */
  judge(
    call: ToolCall,
    facts: GuardFacts,
  ): ToolAsked | { readonly error: ToolError } | { readonly allowed: GuardVerdict | undefined } {
    const descriptor = this.find(call.tool);
    if (descriptor === undefined)
      return { error: new ToolError("TOOL_UNKNOWN", `there is no tool ${call.tool}`) };
    const said = this.#ask(call, descriptor, facts);
    if (said?.verdict === "ask") return { asked: said };
    if (said?.verdict === "deny")
      return { error: new ToolError("GUARD_DENIED", said.reason, { guard: said.guard }) };
    return { allowed: said };
  }

  async run(
    call: ToolCall,
    context: ToolContext,
    facts: GuardFacts,
    recorder: ToolRecorder,
  ): Promise<ToolOutcome | ToolAsked> {
    // Somebody else may have registered it, on another host that shares the store.
    if (this.find(call.tool) === undefined) await this.refresh();
    const provider = this.#providers.find((candidate) =>
      candidate.list().some((tool) => isCalled(tool, call.tool)),
    );
    const descriptor = provider?.list().find((tool) => isCalled(tool, call.tool));
    if (provider === undefined || descriptor === undefined) {
      return { ok: false, error: new ToolError("TOOL_UNKNOWN", `there is no tool ${call.tool}`) };
    }
    const args = descriptor.input.safeParse(call.args);
    if (!args.success) {
      const problems = args.error.issues.map((issue) => `${issue.path.join(".")}: ${issue.message}`);
      return { ok: false, error: new ToolError("TOOL_ARGUMENTS", problems.join("; ")) };
    }
    // By its own name: what guards say of it holds by whichever it is called.
    const checked: ToolCall = { ...call, tool: descriptor.name, args: args.data };
    const said = this.#ask(checked, descriptor, facts);
    if (said?.verdict === "ask") return { asked: said };
    if (said?.verdict === "deny") {
      await recorder.denied(checked, said);
      return { ok: false, error: new ToolError("GUARD_DENIED", said.reason, { guard: said.guard }) };
    }
    await recorder.before(checked, descriptor, said);
    const outcome = await callTool(provider, checked, context);
    await recorder.after(checked, descriptor, outcome);
    return outcome;
  }

  async load(): Promise<void> {
    await Promise.all(this.#providers.map((provider) => provider.load?.()));
  }

  /** See {@link ToolProvider.rest}. */
  async rest(planId: string): Promise<void> {
    await Promise.all(this.#providers.map((provider) => provider.rest?.(planId)));
  }

  async close(drainMs: number): Promise<void> {
    await Promise.all(this.#providers.map((provider) => provider.close?.(drainMs)));
  }

  /** A denial before a question, a question before what is allowed; of several the first. */
  #ask(call: ToolCall, descriptor: ToolDescriptor, facts: GuardFacts): GuardVerdict | undefined {
    const said = this.#guards.flatMap((guard) => guard.check(call, descriptor, facts) ?? []);
    return (
      said.find(({ verdict }) => verdict === "deny") ??
      said.find(({ verdict }) => verdict === "ask") ??
      said[0]
    );
  }
}

const isCalled = ({ name, aliases }: ToolDescriptor, wanted: string): boolean =>
  name === wanted || aliases?.includes(wanted) === true;

async function callTool(provider: ToolProvider, call: ToolCall, context: ToolContext): Promise<ToolOutcome> {
  try {
    return { ok: true, result: await provider.call(call.tool, call.args, context) };
  } catch (error) {
    if (error instanceof ToolError) return { ok: false, error };
    if (!(error instanceof InputNeededError)) throw error;
    const { question } = error;
    if (context.inputs === undefined)
      return {
        ok: false,
        error: new ToolError("NOT_AVAILABLE", `nobody can be asked here: ${question.prompt}`),
      };
    return { ok: false, error: new ToolError("INPUT_NEEDED", question.prompt), needs: question };
  }
}
