import type { z } from "zod";
import { actionMethods } from "./action.methods.ts";
import { actorRunMethods } from "./actor-run.methods.ts";
import { authMethods } from "./auth.methods.ts";
import { cardMethods } from "./card.methods.ts";
import type { MethodRow } from "./define-method.ts";
import { diagnosticsMethods } from "./diagnostics.methods.ts";
import { eventMethods } from "./event.methods.ts";
import { healthMethods } from "./health.methods.ts";
import { lspMethods } from "./lsp.methods.ts";
import { mcpMethods } from "./mcp.methods.ts";
import { modelMethods } from "./model.methods.ts";
import { planMethods } from "./plan.methods.ts";
import { planCreateMethods } from "./plan-create.methods.ts";
import { planDecisionMethods } from "./plan-decision.methods.ts";
import { policyMethods } from "./policy.methods.ts";
import { profileMethods } from "./profile.methods.ts";
import { pushMethods } from "./push.methods.ts";
import { registryMethods } from "./registry.methods.ts";
import { resourceMethods } from "./resource.methods.ts";
import { sandboxMethods } from "./sandbox.methods.ts";
import { sessionMethods } from "./session.methods.ts";
import { skillMethods } from "./skill.methods.ts";
import { taskMethods } from "./task.methods.ts";
import { trustMethods } from "./trust.methods.ts";
import { validationMethods } from "./validation.methods.ts";

/** The method table. A method stands here when it is served, and never before. */
export const methods = {
  ...taskMethods,
  ...cardMethods,
  ...pushMethods,
  ...planMethods,
  ...planCreateMethods,
  ...planDecisionMethods,
  ...registryMethods,
  ...actionMethods,
  ...actorRunMethods,
  ...mcpMethods,
  ...modelMethods,
  ...lspMethods,
  ...modelMethods,
  ...resourceMethods,
  ...skillMethods,
  ...validationMethods,
  ...trustMethods,
  ...profileMethods,
  ...policyMethods,
  ...sandboxMethods,
  ...sessionMethods,
  ...eventMethods,
  ...authMethods,
  ...healthMethods,
  ...diagnosticsMethods,
} as const satisfies Record<string, MethodRow>;

export type MethodName = keyof typeof methods;
export type MethodOf<M extends MethodName> = (typeof methods)[M];
/** Parameters as a handler receives them: checked, nulls gone. */
export type ParamsOf<M extends MethodName> = z.output<MethodOf<M>["params"]>;
/** Parameters as a caller may write them. */
export type ParamsInputOf<M extends MethodName> = z.input<MethodOf<M>["params"]>;
export type ResultOf<M extends MethodName> = z.output<MethodOf<M>["result"]>;
export type UnaryMethod = { [M in MethodName]: MethodOf<M>["kind"] extends "unary" ? M : never }[MethodName];
export type StreamMethod = {
  [M in MethodName]: MethodOf<M>["kind"] extends "stream" ? M : never;
}[MethodName];

const byAnyName: ReadonlyMap<string, MethodName> = new Map(
  (Object.keys(methods) as MethodName[]).flatMap((name) => {
    const row: MethodRow = methods[name];
    return [name, ...(row.aliases ?? [])].map((spelling): [string, MethodName] => [spelling, name]);
  }),
);

/** The row's name for a method in any of its spellings. */
export function resolveMethod(spelling: string): MethodName | undefined {
  return byAnyName.get(spelling);
}
