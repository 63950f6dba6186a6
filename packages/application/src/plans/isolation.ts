import {
  type AutomationProfile,
  type EnforcementLevel,
  type IsolationDemand,
  IsolationError,
  isWeaker,
} from "@cleveragents/domain";
import type { CommandRunner } from "../ports/command-runner.ts";

export interface IsolationDeps {
  readonly commands: Pick<CommandRunner, "probe">;
  /** The operator lets no plan run without. */
  readonly requireIsolation?: boolean | undefined;
}

/** Who demands it of a new plan; each of them can tighten, and none can loosen. */
export function isolationDemand(
  { requireIsolation }: Pick<IsolationDeps, "requireIsolation">,
  plan: { readonly requireIsolation?: boolean | undefined },
  profile: Pick<AutomationProfile, "requireIsolation">,
): IsolationDemand | undefined {
  if (plan.requireIsolation === true) return "plan";
  if (profile.requireIsolation) return "profile";
  return requireIsolation === true ? "server" : undefined;
}

/** Throws `IsolationError` where commands would run less isolated than is demanded, or than the plan has shown. */
export async function assertIsolation(
  { commands, requireIsolation }: IsolationDeps,
  plan: { readonly demand?: IsolationDemand | undefined; readonly shown?: EnforcementLevel | undefined },
): Promise<{ readonly level: EnforcementLevel; readonly why: string }> {
  const found = await commands.probe();
  const { level, why } = found;
  const demand = plan.demand ?? (requireIsolation === true ? "server" : undefined);
  if (demand !== undefined && level === "none") throw new IsolationError(level, why, demand);
  if (plan.shown !== undefined && isWeaker(level, plan.shown))
    throw new IsolationError(level, why, plan.shown);
  return found;
}
