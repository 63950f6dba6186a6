import {
  SandboxGcParamsSchema,
  SandboxGcResultSchema,
  SandboxListParamsSchema,
  SandboxListResultSchema,
} from "../schemas/sandbox.ts";
import { defineMethod } from "./define-method.ts";

export const sandboxMethods = {
  "_cleveragents/sandbox/list": defineMethod({
    name: "_cleveragents/sandbox/list",
    group: "sandbox",
    family: "cleveragents",
    kind: "unary",
    params: SandboxListParamsSchema,
    result: SandboxListResultSchema,
    errors: ["InvalidParams", "Forbidden"],
    scope: "task:read",
    summary: "What the caller's plans keep on this host's disk, and whether it holds unapplied work.",
  }),
  "_cleveragents/sandbox/gc": defineMethod({
    name: "_cleveragents/sandbox/gc",
    group: "sandbox",
    family: "cleveragents",
    kind: "unary",
    params: SandboxGcParamsSchema,
    result: SandboxGcResultSchema,
    errors: ["InvalidParams", "PlanNotFound", "InvalidState", "Forbidden"],
    scope: "task:write",
    summary: "Remove sandboxes of plans that are over; unapplied work goes only with its plan_id.",
  }),
} as const;
