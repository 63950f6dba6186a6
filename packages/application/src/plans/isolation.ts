import {
  ANY_ISOLATION,
  type AutomationProfile,
  type DemandedLevel,
  type EnforcementLevel,
  type IsolationDemand,
  IsolationError,
  isWeaker,
  type Plan,
  type PlanEnvironment,
} from "@cleveragents/domain";
import type { CommandRunner } from "../ports/command-runner.ts";

export interface IsolationDeps {
  readonly commands: Pick<CommandRunner, "probe">;
  /** The operator lets no plan run without. */
  readonly requireIsolation?: boolean | undefined;
}

/** The least that commands of a plan are isolated by, and who says so. */
export interface DemandedIsolation {
  readonly by: IsolationDemand;
  readonly level: DemandedLevel;
}

/** A demand as it is written: a level, or yes for any. */
export type WrittenDemand = boolean | DemandedLevel | undefined;

/** What is demanded of a new plan, the strictest; each of them can tighten, and none can loosen. */
export function isolationDemand(
  { requireIsolation }: Pick<IsolationDeps, "requireIsolation">,
  plan: { readonly requireIsolation?: WrittenDemand },
  profile: Pick<AutomationProfile, "requireIsolation" | "isolation">,
  action: { readonly isolation?: DemandedLevel | undefined } = {},
): DemandedIsolation | undefined {
  const demands: [IsolationDemand, WrittenDemand][] = [
    ["plan", plan.requireIsolation],
    ["action", action.isolation],
    ["profile", profile.isolation ?? profile.requireIsolation],
    ["server", requireIsolation],
  ];
  return demands
    .flatMap(([by, demand]): DemandedIsolation[] =>
      demand === undefined || demand === false
        ? []
        : [{ by, level: demand === true ? ANY_ISOLATION : demand }],
    )
    .reduce<DemandedIsolation | undefined>(
      (strictest, next) =>
        strictest === undefined || isWeaker(strictest.level, next.level) ? next : strictest,
      undefined,
    );
}

/** What a plan that exists demands. */
export function demandOf(
  plan: Pick<Plan, "isolationDemand" | "isolationLevel">,
): DemandedIsolation | undefined {
  return plan.isolationDemand === undefined
    ? undefined
    : { by: plan.isolationDemand, level: plan.isolationLevel ?? ANY_ISOLATION };
}

/** Throws `IsolationError` where commands would run less isolated than is demanded, or than the plan has shown. */
export async function assertIsolation(
  { commands, requireIsolation }: IsolationDeps,
  plan: {
    readonly demand?: DemandedIsolation | undefined;
    readonly shown?: EnforcementLevel | undefined;
    readonly environment?: PlanEnvironment | undefined;
  },
): Promise<Awaited<ReturnType<CommandRunner["probe"]>>> {
  const found = await commands.probe(plan.environment);
  const { level, why } = found;
  const demand: DemandedIsolation | undefined =
    plan.demand ?? (requireIsolation === true ? { by: "server", level: ANY_ISOLATION } : undefined);
  if (demand !== undefined && isWeaker(level, demand.level)) throw new IsolationError(level, why, demand);
  if (plan.shown !== undefined && isWeaker(level, plan.shown))
    throw new IsolationError(level, why, plan.shown);
  return found;
}
