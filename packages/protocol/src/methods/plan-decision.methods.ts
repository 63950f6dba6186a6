import {
  PlanCorrectParamsSchema,
  PlanCorrectResultSchema,
  PlanExplainParamsSchema,
  PlanExplainResultSchema,
  PlanPromptParamsSchema,
  PlanPromptResultSchema,
} from "../schemas/plan-decisions.ts";
import { defineMethod } from "./define-method.ts";

/** Methods about what a plan has decided. */
export const planDecisionMethods = {
  "_cleveragents/plan/explain": defineMethod({
    name: "_cleveragents/plan/explain",
    group: "plan",
    family: "cleveragents",
    kind: "unary",
    params: PlanExplainParamsSchema,
    result: PlanExplainResultSchema,
    errors: ["InvalidParams", "PlanNotFound", "EntryNotFound", "InvalidState", "Forbidden"],
    scope: "task:read",
    summary: "Why a plan decided something, what it knew, and what came of it.",
  }),
  "_cleveragents/plan/prompt": defineMethod({
    name: "_cleveragents/plan/prompt",
    group: "plan",
    family: "cleveragents",
    kind: "unary",
    params: PlanPromptParamsSchema,
    result: PlanPromptResultSchema,
    errors: ["InvalidParams", "PlanNotFound", "EntryNotFound", "InvalidState", "Forbidden"],
    scope: "task:write",
    summary: "Give a plan guidance, which its next steps and decisions take into account.",
  }),
  "_cleveragents/plan/correct": defineMethod({
    name: "_cleveragents/plan/correct",
    group: "plan",
    family: "cleveragents",
    kind: "unary",
    params: PlanCorrectParamsSchema,
    result: PlanCorrectResultSchema,
    errors: ["InvalidParams", "PlanNotFound", "EntryNotFound", "InvalidState", "Forbidden"],
    scope: "task:write",
    summary: "Take a plan back before a decision, and let it decide anew with guidance.",
    aliases: ["plan.correct"],
  }),
} as const;
