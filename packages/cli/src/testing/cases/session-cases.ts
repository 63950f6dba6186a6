import { PLAN_ID } from "../samples.ts";
import { AT, type Case, page } from "./case.ts";

const session = { session_id: "nightly", status: "created", actor: "local/fixer", created_at: AT };

/** Sessions and what is said in them. */
export const SESSION_CASES: readonly Case[] = [
  {
    argv: "session create --actor local/fixer",
    method: "session.create",
    result: session,
    params: { actor_name: "local/fixer" },
    names: "nightly",
  },
  {
    argv: "session list",
    method: "_cleveragents/session/list",
    result: page("sessions", {
      session_id: "nightly",
      name: "Nightly",
      status: "active",
      created_at: AT,
      updated_at: AT,
    }),
    params: {},
    names: "nightly",
  },
  {
    argv: "session show nightly --messages 2",
    method: "_cleveragents/session/show",
    result: {
      ...session,
      status: "suspended",
      updated_at: AT,
      budget: { tokens: 500, cost_usd: 2 },
      tasks: 3,
      waiting: 1,
      recent_messages: [
        {
          messageId: "m1",
          role: "ROLE_USER",
          parts: [{ text: "what failed?" }, { raw: "QUJD", filename: "a.txt" }],
        },
        { messageId: "m2", role: "ROLE_AGENT", parts: [{ text: "two tests" }] },
      ],
      linked_plans: [
        { plan_id: PLAN_ID, phase: "execute", state: "complete", action: "local/fix" },
        { plan_id: "01J9K2TQ4M8R3V5W7X9Y0Z1A2D", imported: true },
      ],
      imported_from: "old",
    },
    params: { session_id: "nightly", messages: 2 },
    names: "nightly",
  },
  {
    argv: "session tell nightly what failed?",
    method: "_cleveragents/session/tell",
    result: {
      session_id: "nightly",
      message_id: "m1",
      response: "two tests",
      task: {
        id: PLAN_ID,
        contextId: "nightly",
        status: {
          state: "TASK_STATE_COMPLETED",
          timestamp: AT,
          message: { messageId: "m2", role: "ROLE_AGENT", parts: [{ text: "two tests" }] },
        },
      },
    },
    params: { session_id: "nightly", text: "what failed?", wait: true },
    names: PLAN_ID,
  },
  {
    argv: "session delete nightly --yes",
    method: "_cleveragents/session/delete",
    result: { session_id: "nightly", status: "deleted", messages_removed: 4, plans_orphaned: [PLAN_ID] },
    params: { session_id: "nightly" },
    names: "nightly",
  },
  {
    argv: "session export nightly",
    method: "_cleveragents/session/export",
    result: {
      session_id: "nightly",
      document: { schema_version: "v3", session_id: "nightly", messages: [] },
      messages: 0,
      linked_plans: 0,
      schema_version: "v3",
      checksum: "sha256:0",
    },
    params: { session_id: "nightly" },
    names: "nightly",
  },
  {
    argv: "session import nightly.json --name Again",
    method: "_cleveragents/session/import",
    result: {
      session_id: "nightly-2",
      imported_from: "nightly",
      schema_version: "v3",
      checksum: "sha256:0",
      messages: 2,
      linked_plans: 1,
      created_at: AT,
    },
    params: { document: { schema_version: "v3" }, name: "Again" },
    names: "nightly-2",
    more: { files: { "nightly.json": '{"schema_version":"v3"}' } },
  },
  {
    argv: "a2a session close nightly",
    method: "session.close",
    result: {
      session_id: "nightly",
      status: "closed",
      closed_at: AT,
      cancelled: ["t1"],
      detached: [PLAN_ID],
    },
    params: { session_id: "nightly" },
    names: "nightly",
  },
];
