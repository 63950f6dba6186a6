import type {
  ActorRole,
  AdviceRole,
  Decision,
  JsonObject,
  Plan,
  PlanFailure,
  PlanSource,
  PlanStep,
} from "@cleveragents/domain";
import type { z } from "zod";
import type { Sandbox } from "../ports/workspace.ts";
import type { AskDraft } from "./gates.ts";
import type { NamedEvent } from "./plan-writer.ts";
import type { PreflightProblem } from "./preflight.ts";
import { scriptSource } from "./script-source.ts";
import type { PlanDeps, Turn, TurnOutcome } from "./turn.ts";

/** What a turn of Strategize has come to; its caller commits all of it at once. */
export interface Strategy {
  readonly plan: Plan;
  readonly events: readonly NamedEvent[];
  /** Waits for an answer before it decides further. */
  readonly ask?: AskDraft;
  /** There is more to decide: it is called again, in a turn of its own. */
  readonly more?: boolean;
  /** It cannot decide; the plan stops with this. */
  readonly failure?: PlanFailure;
}

/** What is asked of an actor that neither decides nor works. */
export interface AdviceRequest {
  readonly role: AdviceRole;
  /** Which question of the plan's attempt it is: the same again is the same question. */
  readonly about: string;
  /** What it has to judge, besides what the plan is about; it may see less of it where it has no room. */
  readonly material: string;
  /** Of the same what programs read. */
  readonly facts: JsonObject;
  /** The patch that it is about, and paths in it, where there are any. */
  readonly changes?: string;
  readonly files?: readonly string[];
  /** What it hands in. */
  readonly form: {
    readonly name: string;
    readonly description: string;
    readonly schema: z.ZodType<JsonObject>;
    /** Why something that fits the schema does not hold together. */
    problem?(value: JsonObject): string | undefined;
  };
}

/** What a turn of it has come to; its caller commits all of it at once. */
export interface Advice {
  readonly plan: Plan;
  readonly events: readonly NamedEvent[];
  /** What was handed in, and by which model, where it was one. */
  readonly answer?: JsonObject;
  readonly model?: string;
  /** It waits for an answer before it goes on. */
  readonly ask?: AskDraft;
  /** It cannot say anything. */
  readonly failure?: PlanFailure;
}

/**
 * What decides for a plan: which decisions it takes in Strategize, and what it does next in Execute. One source serves
 * all plans and keeps nothing of them: what it has to remember is in the plan's document.
 */
export interface DecisionSource {
  /** What a plan's document names it by, and the `type` of the actors that it is for. */
  readonly kind: string;
  /** It decides only where it is named for that; an action that names nobody has nothing decided for it. */
  readonly worksOnly?: boolean;
  /** It looks at the project before it decides, so that Strategize has a copy of it. */
  readonly looks?: boolean;
  /**
   * What is kept of an actor when a plan is made with it, so that editing the actor changes no plan that exists.
   * `document` is absent for one that is not registered, `find` gives those of others. Undefined: it is none of this
   * source's.
   */
  settingsOf?(
    actor: string,
    document: JsonObject | undefined,
    find: (name: string) => Promise<JsonObject | undefined>,
  ): JsonObject | undefined | Promise<JsonObject | undefined>;
  /** Why the plan cannot be carried out at all. */
  problems?(deps: Pick<PlanDeps, "tools">, plan: Plan): readonly PreflightProblem[];
  /**
   * Takes decisions; the root and the invariants are there. `record` adds one to the plan and tells of it. Safe to run
   * again: what was decided before stands in the plan. May write output with the turn's writer, and nothing else.
   */
  strategize(
    deps: PlanDeps,
    turn: Turn,
    record: (plan: Plan, decision: Decision) => Plan,
  ): Promise<Omit<Strategy, "events"> & Partial<Pick<Strategy, "events">>>;
  /** The steps that Execute begins with; none where they are found one by one. */
  steps(plan: Plan): readonly PlanStep[];
  /**
   * Does one thing in Execute and commits it. Undefined, with nothing done, when there is nothing left to do: the plan
   * is then checked, and its changes are offered.
   */
  next(deps: PlanDeps, turn: Turn, sandbox: Sandbox): Promise<TurnOutcome | undefined>;
  /**
   * Says something about the plan, in as many turns as it takes: called again until it answers, asks or fails. It looks
   * and changes nothing. Absent: its actors can have no such role.
   */
  advise?(deps: PlanDeps, turn: Turn, request: AdviceRequest): Promise<Advice>;
  /** The plan when somebody has refused a step's call, and it goes on without; undefined, or absent: the plan stops. */
  refused?(plan: Plan, step: PlanStep): Plan | undefined;
}

/** Who decides for a plan in a phase. Throws where the plan was made with a source that is not wired any more. */
export function sourceOf(
  { sources = [] }: Pick<PlanDeps, "sources">,
  { sources: named }: Pick<Plan, "sources">,
  role: ActorRole,
): DecisionSource {
  const wanted: PlanSource | undefined = named?.[role];
  if (wanted === undefined || wanted.kind === scriptSource.kind) return scriptSource;
  const found = sources.find(({ kind }) => kind === wanted.kind);
  if (found === undefined) throw new SourceMissingError(wanted.kind);
  return found;
}

/** A plan's actors are of a kind that nothing here can decide for. */
export class SourceMissingError extends Error {
  override readonly name = "SourceMissingError";
  readonly kind: string;
  constructor(kind: string) {
    super(`actors of the kind ${kind} are not available here`);
    this.kind = kind;
  }
}
