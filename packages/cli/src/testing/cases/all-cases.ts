import { ENTRY_CASES, RESOURCE_CASES } from "../entry-cases.ts";
import { SKILL_CASES } from "../skill-cases.ts";
import { A2A_CASES } from "./a2a-cases.ts";
import { AGENT_CASES } from "./agent-cases.ts";
import type { Case } from "./case.ts";
import { DECISIONS_CASES } from "./decisions-cases.ts";
import { LOCAL_CASES } from "./local-cases.ts";
import { PLAN_CASES } from "./plan-cases.ts";
import { REGISTRY_CASES } from "./registry-cases.ts";
import { RULES_CASES } from "./rules-cases.ts";
import { SERVERS_CASES } from "./servers-cases.ts";
import { SESSION_CASES } from "./session-cases.ts";

/** Every command of the table, at least once. */
export const ALL_CASES: readonly Case[] = [
  ...PLAN_CASES,
  ...DECISIONS_CASES,
  ...SESSION_CASES,
  ...REGISTRY_CASES,
  ...ENTRY_CASES,
  ...RESOURCE_CASES,
  ...SKILL_CASES,
  ...SERVERS_CASES,
  ...RULES_CASES,
  ...AGENT_CASES,
  ...LOCAL_CASES,
  ...A2A_CASES,
];
