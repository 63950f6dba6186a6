import {
  inlineTool,
  type ToolContext,
  type ToolDescriptor,
  ToolError,
  type ToolProvider,
  type ToolResult,
} from "@cleveragents/application";
import type { JsonObject, SkillStep } from "@cleveragents/domain";
import { z } from "zod";
import { jsonSchemaOf } from "../tools/json-schema-of.ts";
import { SkillContext } from "./skill-context.ts";

/** What carries a step out in this process. Its answer is the step's result. */
export type InlineFunction = (
  step: SkillStep,
  context: SkillContext,
  args: JsonObject,
) => Promise<JsonObject> | JsonObject;

export interface InlineRegistration {
  readonly skill: string;
  readonly step: SkillStep;
  readonly run: InlineFunction;
  /** It changes nothing; it may do anything when absent. */
  readonly readOnly?: boolean;
}

const ArgumentsSchema = z.looseObject({});

/**
 * Steps of skills that are functions of this process. As a source of tools it gives each of them a name, so that calls
 * of plans pass all guards; {@link execute} is for programs that call a step themselves.
 */
export class InlineToolExecutor implements ToolProvider {
  readonly #registered = new Map<string, InlineRegistration>();
  readonly #now: () => number;

  constructor({ now = Date.now }: { readonly now?: () => number } = {}) {
    this.#now = now;
  }

  /** Replaces the function that the step had. */
  register(registration: InlineRegistration): this {
    this.#registered.set(inlineTool(registration.skill, registration.step.index), registration);
    return this;
  }

  /**
   * Carries a step out and records it in the context. Throws `ToolError`: NOT_AVAILABLE for a step that has no function
   * (never a made-up success), CANCELLED, STEP_FAILED for whatever the function throws.
   */
  async execute(step: SkillStep, context: SkillContext, args: JsonObject = {}): Promise<JsonObject> {
    const found = [...this.#registered].find(([, { step: registered }]) => registered === step);
    const named = found ?? [...this.#registered].find(([, of]) => isSame(of.step, step));
    if (named === undefined)
      throw new ToolError("NOT_AVAILABLE", `no function is registered for the step "${step.title}"`);
    return await this.#run(named[0], named[1], context, args);
  }

  list(): readonly ToolDescriptor[] {
    return [...this.#registered].map(([name, { step, readOnly = false }]) => ({
      name,
      description:
        step.instructions === "" ? step.title : `${step.title}: ${step.instructions.slice(0, 500)}`,
      source: "agent_skill",
      input: ArgumentsSchema as unknown as z.ZodType<JsonObject>, // whatever the function takes
      get inputSchema() {
        return jsonSchemaOf(ArgumentsSchema);
      },
      readOnly,
      idempotent: readOnly,
      // It runs in this process, where nobody can say what it does.
      effect: readOnly ? "none" : "irreversible",
    }));
  }

  async call(name: string, args: JsonObject, { planId, signal }: ToolContext): Promise<ToolResult> {
    const found = this.#registered.get(name);
    if (found === undefined) throw new ToolError("UNKNOWN_TOOL", `there is no tool ${name}`);
    const context = new SkillContext({ sessionId: "", planId, cancellationToken: signal });
    const value = await this.#run(name, found, context, args);
    return { value, summary: `${found.skill}: ${found.step.title}` };
  }

  async #run(
    tool: string,
    { step, run }: InlineRegistration,
    context: SkillContext,
    args: JsonObject,
  ): Promise<JsonObject> {
    const { cancellationToken } = context;
    if (cancellationToken.aborted) throw new ToolError("CANCELLED", `${step.title} was cancelled`);
    const startedAt = this.#now();
    const ended = (outcome: "done" | "failed" | "cancelled", detail?: string) =>
      context.record({
        tool,
        args,
        startedAt,
        durationMs: Math.max(0, this.#now() - startedAt),
        outcome,
        ...(detail === undefined ? {} : { detail }),
      });
    try {
      const value = await orCancelled(cancellationToken, Promise.resolve(run(step, context, args)));
      ended("done");
      return value;
    } catch (error) {
      const cancelled = cancellationToken.aborted;
      const why = error instanceof Error ? error.message : String(error);
      ended(cancelled ? "cancelled" : "failed", why);
      if (cancelled) throw new ToolError("CANCELLED", `${step.title} was cancelled`, {}, { cause: error });
      if (error instanceof ToolError) throw error;
      throw new ToolError("STEP_FAILED", `${step.title} failed: ${why}`, {}, { cause: error });
    }
  }
}

function isSame(a: SkillStep, b: SkillStep): boolean {
  return a.index === b.index && a.title === b.title && a.instructions === b.instructions;
}

/** A function that does not listen is not waited for. */
async function orCancelled<T>(signal: AbortSignal, work: Promise<T>): Promise<T> {
  const { promise, reject } = Promise.withResolvers<never>();
  const cancel = () => reject(new Error("cancelled"));
  signal.addEventListener("abort", cancel, { once: true });
  try {
    return await Promise.race([work, promise]);
  } finally {
    signal.removeEventListener("abort", cancel);
    work.catch(() => undefined);
  }
}
