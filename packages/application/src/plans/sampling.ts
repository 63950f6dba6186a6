import {
  type CallInput,
  type JsonObject,
  like,
  type Plan,
  proceeds,
  profileOf,
  totalTokens,
  withUse,
} from "@cleveragents/domain";
import { charge, settleCharge } from "../actors/charging.ts";
import { type ModelAnswer, ModelError, type ModelRequest } from "../ports/language-model.ts";
import { InputNeededError, type ToolContext, ToolError } from "../ports/tool-provider.ts";
import { digestOfJson } from "../tools/call-key.ts";
import type { ToolCall } from "../tools/tool-runner.ts";
import type { NamedEvent } from "./plan-writer.ts";
import type { PlanDeps, Turn } from "./turn.ts";

/** By this name profiles allow and deny it, as if it were a tool. */
const SAMPLING = "mcp/sampling";
const CONSENT = "sampling:consent";
const MOST_TOKENS = 4096;

export interface SamplingOf {
  readonly of: ToolCall;
  readonly tries: number;
  /** What the call was told before. */
  readonly known: readonly CallInput[];
  /** The plan as it stands while the call is made. */
  readonly plan: () => Plan;
  readonly keep: (plan: Plan) => void;
}

export interface CallSampling {
  readonly sample: NonNullable<ToolContext["sample"]>;
  /** Answers of models to this call, so that they are not paid for twice when it is made again. */
  readonly made: readonly CallInput[];
}

/** Lets a call have a model answer something: with the profile's consent or a human's, charged before and after. */
export function samplingFor(deps: PlanDeps, turn: Turn, work: SamplingOf): CallSampling | undefined {
  const { sampling } = deps;
  if (sampling === undefined) return undefined;
  const made: CallInput[] = [];
  let last: Promise<unknown> = Promise.resolve();
  let count = 0;
  // One after the other: each is charged to the plan as the one before has left it.
  const sample = (model: string, request: ModelRequest): Promise<ModelAnswer> => {
    const next = last.then(() => answered(model, request));
    last = next.catch(() => undefined);
    return next;
  };
  async function answered(model: string, request: ModelRequest): Promise<ModelAnswer> {
    assertAllowed(work, model);
    count += 1;
    const key = `sampling:${count}:${await digestOfJson({ model, request: { ...request } as unknown as JsonObject })}`;
    const before = work.known.find((input) => input.key === key);
    if (before !== undefined) return before.value as unknown as ModelAnswer; // written below
    const answer = await paidAnswer(
      deps,
      turn,
      work,
      `${work.of.callId}:try:${work.tries}:sample:${count}`,
      model,
      request,
    );
    made.push({ key, value: JSON.parse(JSON.stringify(answer)) as JsonObject });
    return answer;
  }
  return { sample, made };
}

function assertAllowed({ of, known, plan }: SamplingOf, model: string): void {
  const profile = profileOf(plan());
  const { tool_denylist, tool_allowlist } = profile.guards;
  const listed = (patterns: readonly string[]) => patterns.some((pattern) => like(pattern, SAMPLING));
  if (listed(tool_denylist) || (tool_allowlist.length > 0 && !listed(tool_allowlist)))
    throw new ToolError("GUARD_DENIED", `the profile does not let ${of.tool} ask a model (${SAMPLING})`);
  if (proceeds(profile, "access_network", 1)) return;
  const consent = known.find(({ key }) => key === CONSENT)?.value["choice"];
  if (consent === "allow") return;
  if (consent !== undefined)
    throw new ToolError("GUARD_DENIED", `${of.tool} may not ask a model: it was denied`);
  throw new InputNeededError({
    key: CONSENT,
    prompt: `${of.tool} wants ${model} to answer something for it, with texts of its own. May it?`,
    options: [
      { id: "allow", label: "Let it, in this call" },
      { id: "deny", label: "Do not let it" },
    ],
    freeText: false,
    details: { tool: of.tool, model },
  });
}

async function paidAnswer(
  { sampling, clock }: PlanDeps,
  { writer, signal }: Turn,
  { of, plan, keep }: SamplingOf,
  callId: string,
  name: string,
  request: ModelRequest,
): Promise<ModelAnswer> {
  if (sampling === undefined) throw new Error("it was there just now");
  const write = async (next: Plan, events: readonly NamedEvent[]) => {
    keep(next);
    await writer.write(next, "working", events);
  };
  try {
    const { settings } = await sampling.find(name);
    const wanted = Math.min(request.maxTokens ?? MOST_TOKENS, MOST_TOKENS);
    const charged = charge(plan(), callId, sampling.estimate(request), wanted, settings.prices);
    if ("breach" in charged) {
      const { kind, limit, used } = charged.breach;
      throw new ToolError("BUDGET_EXCEEDED", `the budget of ${limit} ${kind} is used up (${used} used)`);
    }
    const data = { role: "sampling", model: name, tool: of.tool };
    await write(charged.plan, [{ key: `${callId}:asked`, name: "model.asked", data }, ...charged.events]);
    const begunAt = clock.now();
    const done = await sampling
      .complete(name, { ...request, maxTokens: charged.maxTokens }, { signal })
      .catch(async (error: unknown) => {
        signal.throwIfAborted();
        const settled = settleCharge(plan(), callId, { tokens: 0, cost_usd: 0 });
        await write(settled.plan, settled.events);
        throw error;
      });
    const { usage, cost, estimated, answer } = done;
    const seconds = Math.max(0, clock.now() - begunAt) / 1000;
    const paid = settleCharge(plan(), callId, { tokens: totalTokens(usage), cost_usd: cost ?? 0, seconds });
    const use = {
      ...usage,
      model: name,
      role: "sampling" as const,
      estimated: estimated ? 1 : 0,
      ...(cost === undefined ? {} : { cost }),
    };
    await write({ ...paid.plan, modelUse: withUse(paid.plan.modelUse ?? [], use) }, [
      {
        key: `${callId}:answered`,
        name: "model.answered",
        data: {
          ...data,
          stop: answer.stop,
          usage: { ...usage },
          ...(cost === undefined ? {} : { cost_usd: cost }),
        },
      },
      ...paid.events,
    ]);
    return answer;
  } catch (error) {
    if (!(error instanceof ModelError)) throw error;
    throw new ToolError(error.reason, error.message, {}, { cause: error });
  }
}
