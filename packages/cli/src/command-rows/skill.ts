import type { MethodName } from "@cleveragents/protocol";
import type { CommandRow } from "../command/command-row.ts";

/** Of what skills have beside what all registered things have. */
export const skillRows = {
  "_cleveragents/registry/skill/validate": {
    path: ["skill", "validate"],
    summary: "Hold a SKILL.md against its format, and show what is read from it.",
    details:
      "Without --strict it is read as plans read it: what can be used is used, and the rest is told. With --strict\n" +
      "whatever the format's reference validator refuses is an error. The exit code is 1 if there is one.",
    positionals: [{ name: "PATH", summary: "a skill's folder, or its SKILL.md" }],
    flags: { strict: { type: "boolean", summary: "judge as the format's reference validator does" } },
    examples: [
      { command: "agents skill validate ./skills/deploy-to-staging" },
      { command: "agents skill validate .agents/skills/pdf --strict" },
    ],
    seeAlso: ["skill list", "skill tools"],
    load: () => import("../commands/skill-validate.ts"),
  },
  "_cleveragents/registry/skill/tools": {
    path: ["skill", "tools"],
    summary: "The tools that a skill brings, with those of the skills that it includes.",
    positionals: [{ name: "NAME", summary: "a registered or discovered skill" }],
    flags: { project: { type: "string", value: "P", summary: "a project whose own skills count too" } },
    examples: [{ command: "agents skill tools local/deploy" }],
    seeAlso: ["skill show", "tool list"],
    load: () => import("../commands/skill-tools.ts"),
  },
  "_cleveragents/registry/skill/refresh": {
    path: ["skill", "refresh"],
    summary: "Look anew at the folders and tools that skills are made of.",
    positionals: [{ name: "NAME", summary: "a skill; all when absent", optional: true }],
    flags: {},
    examples: [{ command: "agents skill refresh" }],
    seeAlso: ["skill list"],
    load: () => import("../commands/skill-refresh.ts"),
  },
} as const satisfies Partial<Record<MethodName, CommandRow>>;
