import { PLAN_ID } from "../samples.ts";
import { AT, type Case, page } from "./case.ts";

const apiKey = {
  key_id: "3f9c1e2aabbccdde",
  name: "ci",
  principal: "anna",
  scopes: ["task:read"],
  tenants: ["acme"],
  created_at: AT,
};
const sandbox = {
  plan_id: PLAN_ID,
  state: "failed",
  project: "local/app",
  created_at: AT,
  bytes: 4_200_000,
  files: 12,
  unapplied_work: true,
  removable: true,
  kept_until: "2026-11-09T10:00:00.000Z",
};
const health = {
  status: "healthy",
  version: "1.0.0",
  service: "cleveragents",
  timestamp: AT,
  checks: [{ id: "store", status: "ok", summary: "writes in 2 ms" }],
};

/** The agent itself: keys, sandboxes, health. */
export const AGENT_CASES: readonly Case[] = [
  {
    argv: "auth key create ci --principal anna --scope task:read --tenant acme --expires-in-days 30",
    method: "_cleveragents/auth/key/create",
    result: { ...apiKey, key: "cak_3f9c1e2aabbccdde_secret" },
    params: { name: "ci", principal: "anna", scopes: ["task:read"], tenants: ["acme"], expires_in_days: 30 },
    names: "cak_3f9c1e2aabbccdde_secret",
  },
  {
    argv: "auth key list",
    method: "_cleveragents/auth/key/list",
    result: page("keys", apiKey),
    params: {},
    names: "3f9c1e2aabbccdde",
  },
  {
    argv: "auth key revoke 3f9c1e2aabbccdde",
    method: "_cleveragents/auth/key/revoke",
    result: { ...apiKey, revoked_at: AT },
    params: { key_id: "3f9c1e2aabbccdde" },
    names: "3f9c1e2aabbccdde",
  },
  {
    argv: "sandbox list",
    method: "_cleveragents/sandbox/list",
    result: page("sandboxes", sandbox),
    params: {},
    names: PLAN_ID,
  },
  {
    argv: `sandbox gc ${PLAN_ID} --older-than 2 --force`,
    method: "_cleveragents/sandbox/gc",
    result: { ...page("sandboxes", { ...sandbox, removed: true }), bytes_freed: 4_200_000, dry_run: false },
    params: { plan_id: PLAN_ID, older_than: 7200 },
    names: PLAN_ID,
  },
  { argv: "health check", method: "_cleveragents/health/check", result: health, params: {}, names: "store" },
];
