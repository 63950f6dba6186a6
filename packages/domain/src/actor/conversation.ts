import type { TokenUsage } from "../model/usage.ts";
import type { JsonObject } from "../task/message.ts";
import type { ActorRole } from "./actor-role.ts";

/** A tool that a model wanted to call, in one of its answers. */
export interface SaidCall {
  /** The model's own name for the call. */
  readonly id: string;
  /** What the model called the tool. */
  readonly name: string;
  /** As the model wrote it. */
  readonly written: string;
  /** Full name of the tool and arguments that fit it, where it is one that is carried out. */
  readonly tool?: string;
  readonly args?: JsonObject;
  /** The step of the plan that carries it out. */
  readonly step?: number;
  /** What the model is told of it; absent until it has ended. */
  readonly result?: { readonly text: string; readonly failed?: boolean };
}

/** One answer of a model, and what came of it. */
export interface SaidTurn {
  readonly attempt: number;
  readonly text: string;
  readonly calls: readonly SaidCall[];
  /** How many of the plan's guidance it knew. */
  readonly guided: number;
  /** What it is told besides the results of its calls: that its answer could not be used, and why. */
  readonly remark?: string;
}

/** What a model is being asked at the moment: charged, and not answered. */
export interface AskedModel {
  readonly callId: string;
  readonly maxTokens: number;
  readonly guided: number;
  /** What is known of the files in play at the moment, as it is told; kept so that the same request is sent again. */
  readonly now?: string;
}

/** What was said between a plan and the model that decides for it in one phase. */
export interface Conversation {
  readonly attempt: number;
  /** Which of several questions of one attempt it is about, where there are several. */
  readonly about?: string;
  /** Requests so far, those that came to nothing too. */
  readonly asked: number;
  readonly turns: readonly SaidTurn[];
  /** Answers in a row that could not be used. */
  readonly mistakes: number;
  readonly pending?: AskedModel;
  /** What the model has said that fits, where it has refused more. */
  readonly window?: number;
  /** How its own count of a request compares with ours: the most that it was. */
  readonly ratio?: number;
  /** It has nothing more to do; with how much guidance it said so. */
  readonly finished?: { readonly guided: number; readonly summary: string };
  /** What the strategist wants to have decided and done. */
  readonly submitted?: SubmittedStrategy;
}

export interface SubmittedDecision {
  readonly id: string;
  readonly question: string;
  readonly alternatives: readonly { readonly id: string; readonly description: string }[];
  readonly choice: string;
  readonly confidence: number;
  readonly rationale: string;
}

export interface SubmittedStrategy {
  readonly decisions: readonly SubmittedDecision[];
  readonly steps: readonly string[];
}

/** What a plan has used of one model in one role. */
export interface ModelUse extends TokenUsage {
  readonly model: string;
  readonly role: ActorRole | "conversation" | "sampling";
  readonly calls: number;
  /** US dollars; absent where nobody has said what the model costs. */
  readonly cost?: number;
  /** Calls of which the server did not say what they used. */
  readonly estimated: number;
}

export const NEW_CONVERSATION: Conversation = { attempt: 1, asked: 0, turns: [], mistakes: 0 };

/** The same with one more call in it. */
export function withUse(uses: readonly ModelUse[], of: Omit<ModelUse, "calls">): readonly ModelUse[] {
  const same = uses.find(({ model, role }) => model === of.model && role === of.role);
  if (same === undefined) return [...uses, { ...of, calls: 1 }];
  const cost =
    of.cost === undefined && same.cost === undefined ? undefined : (same.cost ?? 0) + (of.cost ?? 0);
  const { cost: _, ...counted } = same;
  const sum: ModelUse = {
    ...counted,
    calls: same.calls + 1,
    input: same.input + of.input,
    output: same.output + of.output,
    cacheRead: same.cacheRead + of.cacheRead,
    cacheWrite: same.cacheWrite + of.cacheWrite,
    estimated: same.estimated + of.estimated,
    ...(cost === undefined ? {} : { cost: Math.round(cost * 1e6) / 1e6 }),
  };
  return uses.map((use) => (use === same ? sum : use));
}
