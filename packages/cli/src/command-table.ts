import type { MethodName } from "@cleveragents/protocol";
import type { CommandRow } from "./command/command-row.ts";
import { a2aCommands } from "./command-rows/a2a.ts";
import { actionRows } from "./command-rows/action.ts";
import { actorRows } from "./command-rows/actor.ts";
import { actorRunRows } from "./command-rows/actor-run.ts";
import { authRows } from "./command-rows/auth.ts";
import { configCommands } from "./command-rows/config.ts";
import { diagnosticsRows } from "./command-rows/diagnostics.ts";
import { entryRows } from "./command-rows/entries.ts";
import { eventRows } from "./command-rows/event.ts";
import { healthRows } from "./command-rows/health.ts";
import { invariantRows } from "./command-rows/invariant.ts";
import { localCommands } from "./command-rows/local.ts";
import { lspRows } from "./command-rows/lsp.ts";
import { mcpServerRows } from "./command-rows/mcp-servers.ts";
import { modelRows } from "./command-rows/model.ts";
import { planRows } from "./command-rows/plan.ts";
import { policyRows } from "./command-rows/policy.ts";
import { profileRows } from "./command-rows/profile.ts";
import { projectRows } from "./command-rows/project.ts";
import { sandboxRows } from "./command-rows/sandbox.ts";
import { firstCommands, serverCommands } from "./command-rows/server.ts";
import { sessionRows } from "./command-rows/session.ts";
import { skillRows } from "./command-rows/skill.ts";
import { toolRows } from "./command-rows/tool.ts";
import { trustRows } from "./command-rows/trust.ts";
import { validationRows } from "./command-rows/validation.ts";

/**
 * The commands, one row per method; `null` means that a method has no command, on purpose. Help, parsing and the
 * closest match of a mistyped word come from here; the code of a command is loaded when it runs.
 */
export const commandTable = {
  ...planRows,
  ...sandboxRows,
  ...sessionRows,
  ...actionRows,
  ...projectRows,
  ...actorRows,
  ...actorRunRows,
  ...toolRows,
  ...skillRows,
  ...entryRows,
  ...mcpServerRows,
  ...modelRows,
  ...lspRows,
  ...validationRows,
  ...trustRows,
  ...invariantRows,
  ...profileRows,
  ...policyRows,
  ...healthRows,
  ...diagnosticsRows,
  ...eventRows,
  ...authRows,
  // The standard methods belong to `agents a2a …`, which speaks to any agent.
  SendMessage: null,
  SendStreamingMessage: null,
  GetTask: null,
  ListTasks: null,
  CancelTask: null,
  GetExtendedAgentCard: null,
  // For programs: at a terminal one plan is followed by `agents plan watch`, which also asks and answers.
  "_cleveragents/event/subscribe": null,
  // As the standard methods above: `agents a2a task push-config`.
  CreateTaskPushNotificationConfig: null,
  GetTaskPushNotificationConfig: null,
  ListTaskPushNotificationConfigs: null,
  DeleteTaskPushNotificationConfig: null,
} as const satisfies Record<MethodName, CommandRow | null>;

export const commandRows: readonly CommandRow[] = [
  ...Object.values<CommandRow | null>(commandTable).filter((row) => row !== null),
  ...a2aCommands,
  ...configCommands,
  ...firstCommands,
  ...serverCommands,
  ...localCommands,
];
