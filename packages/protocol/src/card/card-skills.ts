import { type MethodName, methods } from "../methods/method-table.ts";
import type { AgentSkill } from "../schemas/agent-card.ts";

interface PlatformSkill extends AgentSkill {
  /** Beginnings of the methods' names that it consists of. */
  readonly methods: readonly string[];
}

const SKILLS: readonly PlatformSkill[] = [
  {
    id: "plan-lifecycle",
    name: "Plan lifecycle",
    description: "Use an action, execute it in a sandbox, read the diff, apply it.",
    tags: ["plan", "diff", "apply"],
    examples: ["Use the action local/fix-tests on the project local/demo, and show me the diff."],
    methods: ["_cleveragents/plan/"],
  },
  {
    id: "registry-crud",
    name: "Registries",
    description:
      "List, show, add, update and remove actions, actors, tools, validations, skills, servers, projects and resources.",
    tags: ["registry", "action", "project", "actor", "tool", "skill", "mcp", "lsp", "resource"],
    methods: ["_cleveragents/registry/"],
  },
  {
    id: "context-management",
    name: "Context management",
    description: "Show, inspect, simulate and set the context that plans work with.",
    tags: ["context"],
    methods: ["_cleveragents/context/"],
  },
  {
    id: "entity-sync",
    name: "Entity sync",
    description: "Pull, push and compare entities between this agent and another one.",
    tags: ["sync"],
    methods: ["_cleveragents/sync/"],
  },
  {
    id: "namespace-management",
    name: "Namespace management",
    description: "Show namespaces and their members.",
    tags: ["namespace"],
    methods: ["_cleveragents/namespace/"],
  },
  {
    id: "diagnostics",
    name: "Diagnostics",
    description: "Look at the parts of the agent and say what keeps it from working.",
    tags: ["diagnostics"],
    methods: ["_cleveragents/diagnostics/"],
  },
];

/** The platform's own methods, by name. */
export function platformMethods(): MethodName[] {
  return (Object.keys(methods) as MethodName[])
    .filter((name) => methods[name].family === "cleveragents")
    .sort();
}

/** The skills whose methods are served. */
export function platformSkills(served: readonly string[] = platformMethods()): AgentSkill[] {
  return SKILLS.filter(({ methods: beginnings }) =>
    beginnings.some((beginning) => served.some((name) => name.startsWith(beginning))),
  ).map(({ methods: _, ...skill }) => skill);
}
