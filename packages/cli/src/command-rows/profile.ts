import type { MethodName } from "@cleveragents/protocol";
import type { CommandRow } from "../command/command-row.ts";
import { FILE, NAME, REGISTRY_PAGE, UPDATE } from "./reused-specs.ts";

export const profileRows = {
  "_cleveragents/profile/list": {
    path: ["profile", "list"],
    aliases: [["automation-profile", "list"]],
    summary: "The automation profiles: how much goes on without asking.",
    flags: REGISTRY_PAGE,
    examples: [
      { command: "agents profile list" },
      { command: "agents profile list --namespace team -o name" },
    ],
    seeAlso: ["profile show", "plan use"],
    load: () => import("../commands/profile-list.ts"),
  },
  "_cleveragents/profile/show": {
    path: ["profile", "show"],
    aliases: [["automation-profile", "show"]],
    summary: "One automation profile: thresholds, guards, budget.",
    positionals: [{ name: "NAME", summary: "a built-in profile or a registered one" }],
    examples: [
      { command: "agents profile show supervised" },
      { command: "agents profile show team/careful -o json" },
    ],
    seeAlso: ["profile list"],
    load: () => import("../commands/profile-show.ts"),
  },
  "_cleveragents/profile/add": {
    path: ["profile", "add"],
    aliases: [["automation-profile", "add"]],
    summary: "Register an automation profile from its file.",
    positionals: [FILE],
    flags: { update: UPDATE },
    examples: [
      { command: "agents profile add careful.yaml" },
      {
        command: "agents profile add careful.yaml --update",
        comment: "after an edit; plans keep what they have",
      },
    ],
    seeAlso: ["profile show", "plan use"],
    load: () => import("../commands/profile-add.ts"),
  },
  "_cleveragents/profile/remove": {
    path: ["profile", "remove"],
    aliases: [["automation-profile", "remove"]],
    summary: "Forget an automation profile; plans that have it keep it.",
    positionals: [NAME],
    examples: [{ command: "agents profile remove team/careful" }],
    seeAlso: ["profile list"],
    load: () => import("../commands/profile-remove.ts"),
  },
} as const satisfies Partial<Record<MethodName, CommandRow>>;
