import {
  ProfileDetailSchema,
  ProfileListResultSchema,
  ProfileRemoveResultSchema,
} from "../schemas/profile.ts";
import { AddDocumentParamsSchema, ListParamsSchema, NameParamsSchema } from "../schemas/registry.ts";
import { defineMethod } from "./define-method.ts";

export const profileMethods = {
  "_cleveragents/profile/list": defineMethod({
    name: "_cleveragents/profile/list",
    group: "profile",
    family: "cleveragents",
    kind: "unary",
    params: ListParamsSchema,
    result: ProfileListResultSchema,
    errors: ["InvalidParams", "Forbidden"],
    scope: "registry:read",
    summary: "The automation profiles, the built-in ones and others.",
  }),
  "_cleveragents/profile/show": defineMethod({
    name: "_cleveragents/profile/show",
    group: "profile",
    family: "cleveragents",
    kind: "unary",
    params: NameParamsSchema,
    result: ProfileDetailSchema,
    errors: ["InvalidParams", "EntryNotFound", "Forbidden"],
    scope: "registry:read",
    summary: "One automation profile, whole.",
  }),
  "_cleveragents/profile/add": defineMethod({
    name: "_cleveragents/profile/add",
    group: "profile",
    family: "cleveragents",
    kind: "unary",
    params: AddDocumentParamsSchema,
    result: ProfileDetailSchema,
    errors: ["InvalidParams", "AlreadyExists", "Forbidden"],
    scope: "registry:write",
    summary: "Register an automation profile from its YAML.",
  }),
  "_cleveragents/profile/remove": defineMethod({
    name: "_cleveragents/profile/remove",
    group: "profile",
    family: "cleveragents",
    kind: "unary",
    params: NameParamsSchema,
    result: ProfileRemoveResultSchema,
    errors: ["InvalidParams", "EntryNotFound", "InvalidState", "Forbidden"],
    scope: "registry:write",
    summary: "Forget an automation profile; plans that have it keep it.",
  }),
} as const;
