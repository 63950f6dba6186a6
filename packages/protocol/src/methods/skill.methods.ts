import {
  SkillRefreshParamsSchema,
  SkillRefreshResultSchema,
  SkillToolsParamsSchema,
  SkillToolsResultSchema,
  SkillValidateParamsSchema,
  SkillValidateResultSchema,
} from "../schemas/skill.ts";
import { defineMethod } from "./define-method.ts";

export const skillMethods = {
  "_cleveragents/registry/skill/validate": defineMethod({
    name: "_cleveragents/registry/skill/validate",
    group: "registry",
    family: "cleveragents",
    kind: "unary",
    params: SkillValidateParamsSchema,
    result: SkillValidateResultSchema,
    errors: ["InvalidParams", "Forbidden"],
    scope: "registry:read",
    summary: "What is wrong with a SKILL.md, and what is read from it.",
  }),
  "_cleveragents/registry/skill/tools": defineMethod({
    name: "_cleveragents/registry/skill/tools",
    group: "registry",
    family: "cleveragents",
    kind: "unary",
    params: SkillToolsParamsSchema,
    result: SkillToolsResultSchema,
    errors: ["InvalidParams", "EntryNotFound", "Forbidden"],
    scope: "registry:read",
    summary: "The tools that a skill brings, with those of the skills that it includes.",
  }),
  "_cleveragents/registry/skill/refresh": defineMethod({
    name: "_cleveragents/registry/skill/refresh",
    group: "registry",
    family: "cleveragents",
    kind: "unary",
    params: SkillRefreshParamsSchema,
    result: SkillRefreshResultSchema,
    errors: ["InvalidParams", "EntryNotFound", "Forbidden"],
    scope: "registry:write",
    summary: "Look anew at the folders and tools that skills are made of.",
  }),
} as const;
