import {
  SessionCloseParamsSchema,
  SessionCloseResultSchema,
  SessionCreateParamsSchema,
  SessionCreateResultSchema,
  SessionListParamsSchema,
  SessionListResultSchema,
} from "../schemas/session.ts";
import { defineMethod } from "./define-method.ts";

export const sessionMethods = {
  "session.create": defineMethod({
    name: "session.create",
    group: "session",
    family: "cleveragents",
    kind: "unary",
    params: SessionCreateParamsSchema,
    result: SessionCreateResultSchema,
    errors: ["InvalidParams", "EntryNotFound", "SessionNotFound", "Forbidden"],
    scope: "task:write",
    summary: "Open a session; with a session_id it is idempotent.",
    aliases: ["_cleveragents/session/create"],
  }),
  "session.close": defineMethod({
    name: "session.close",
    group: "session",
    family: "cleveragents",
    kind: "unary",
    params: SessionCloseParamsSchema,
    result: SessionCloseResultSchema,
    errors: ["InvalidParams", "SessionNotFound", "Forbidden"],
    scope: "task:write",
    summary: "Close a session.",
    aliases: ["_cleveragents/session/close"],
  }),
  "_cleveragents/session/list": defineMethod({
    name: "_cleveragents/session/list",
    group: "session",
    family: "cleveragents",
    kind: "unary",
    params: SessionListParamsSchema,
    result: SessionListResultSchema,
    errors: ["InvalidParams", "Forbidden"],
    scope: "task:read",
    summary: "The caller's sessions, newest first.",
  }),
} as const;
