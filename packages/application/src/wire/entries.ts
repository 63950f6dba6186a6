import {
  type Action,
  type CustomTool,
  type JsonObject,
  type LspServerDocument,
  lspServerFrom,
  type McpServer,
  ownerOfServer,
  type Project,
  type Resource,
  type ResourceType,
  type SkillRegistration,
  serverNamesOf,
  skillToolName,
} from "@cleveragents/domain";
import type { RegistryEntry } from "../ports/registry-store.ts";
import type { ToolDescriptor } from "../ports/tool-provider.ts";
import type { ActorView, FoundEntry, ProjectView } from "../services/registry-service.ts";
import { compact } from "./message.ts";
import { iso } from "./task.ts";

// Documents were checked when they were registered; what they are follows from the kind.

export function timesOf({ createdAt, updatedAt }: RegistryEntry) {
  return { created_at: iso(createdAt), updated_at: iso(updatedAt) };
}

function maybeTimes({ entry, source }: FoundEntry) {
  return source === "custom" ? timesOf(entry) : {};
}

export function toActionItem(entry: RegistryEntry) {
  const action = entry.document as unknown as Action;
  return {
    name: entry.name,
    description: action.description,
    state: action.state,
    strategy_actor: action.strategy_actor ?? null,
    execution_actor: action.execution_actor ?? null,
    reusable: action.reusable,
    ...timesOf(entry),
  };
}

export function toProjectItem(entry: RegistryEntry) {
  const project = entry.document as unknown as Project;
  return {
    name: entry.name,
    path: project.path,
    created_at: iso(entry.createdAt),
    ...compact({
      description: project.description,
      automation_profile: project.automationProfile,
      linked_resources: project.linkedResources && [...project.linkedResources],
      invariants: project.invariants?.map((one) => (typeof one === "string" ? one : one.text)),
      context_config: project.contextConfig as JsonObject | undefined,
    }),
  };
}

/** What its folder is like. */
export function toProjectState({ inspection, environments }: ProjectView) {
  return {
    kind: inspection.kind,
    warnings: [...inspection.warnings],
    resources: environments.map(({ kind, name, config, title, unusable }) => ({
      type: `${kind}-instance` as const,
      name: `${kind}:${name}`,
      state: "discovered" as const,
      path: config,
      ...compact({ title, unusable }),
    })),
    ...compact({ branch: inspection.branch, head: inspection.head }),
  };
}

export function toActorItem({ name, type, description, source }: ActorView) {
  return { name, type, description, source };
}

export function toToolItem(tool: ToolDescriptor) {
  return {
    name: tool.name,
    description: tool.description,
    source: tool.source,
    read_only: tool.readOnly,
    writes: !tool.readOnly,
    idempotent: tool.idempotent,
    effect: tool.effect,
  };
}

export function toToolDetail({
  tool,
  entry,
}: {
  readonly tool: ToolDescriptor;
  readonly entry: RegistryEntry | undefined;
}) {
  return {
    ...toToolItem(tool),
    input_schema: tool.inputSchema,
    ...(entry === undefined
      ? {}
      : { ...timesOf(entry), tool: entry.document as unknown as CustomTool as unknown as JsonObject }),
  };
}

export function toSkillItem(found: FoundEntry) {
  const skill = found.entry.document as unknown as SkillRegistration;
  return {
    name: found.entry.name,
    source: found.source,
    tools: [
      ...(skill.tools ?? []),
      ...(skill.anonymous_tools ?? []).map((tool) => skillToolName(found.entry.name, tool.name)),
    ],
    includes: [...(skill.includes ?? [])],
    mcp_servers: [...serverNamesOf(found.entry.name, skill.mcp_servers ?? [])],
    builtins: [...(skill.builtins ?? [])],
    folders: [...(skill.agent_skill_folders ?? [])],
    ...compact({ description: skill.description, version: skill.version }),
    ...maybeTimes(found),
  };
}

export function toMcpServerItem({ entry, source }: FoundEntry) {
  const { description, transport, command, args, url } = entry.document as unknown as McpServer;
  return {
    name: entry.name,
    transport,
    ...compact({
      description,
      command,
      args: command === undefined ? undefined : [...args],
      url,
      from_skill: source === "discovered" ? ownerOfServer(entry.name)?.skill : undefined,
    }),
    ...timesOf(entry),
  };
}

export function toLspServerItem(entry: RegistryEntry) {
  const server = lspServerFrom(entry.document as unknown as LspServerDocument);
  return {
    name: entry.name,
    languages: [...server.languages],
    command: server.command,
    args: [...server.args],
    capabilities: [...server.capabilities],
    ...compact({ description: server.description }),
    ...timesOf(entry),
  };
}

export function toResourceItem(entry: RegistryEntry) {
  const { type, description, arguments: given, parents } = entry.document as unknown as Resource;
  return {
    name: entry.name,
    type,
    arguments: { ...given },
    parents: [...parents],
    ...compact({ description }),
    ...timesOf(entry),
  };
}

export function toResourceTypeItem(found: FoundEntry) {
  const type = found.entry.document as unknown as ResourceType;
  return {
    name: found.entry.name,
    source: found.source,
    description: type.description,
    physical_virtual: type.physical_or_virtual,
    user_addable: type.user_addable,
    ...compact({ inherits: type.inherits }),
    ...maybeTimes(found),
  };
}

/** `whole` is the type with what it inherits. */
export function toResourceTypeFacts(whole: ResourceType) {
  const { sandbox_strategy: strategy, handler, capabilities } = whole;
  return {
    cli_arguments: whole.cli_arguments.map(({ name, type, required, description, default: standard }) => ({
      argument: name,
      type,
      required,
      description,
      ...compact({ default: standard }),
    })),
    parent_types: [...whole.allowed_parent_types],
    child_types: whole.child_types.map(({ type }) => type),
    sandbox: { checkpointable: capabilities.checkpointable === true, ...compact({ strategy, handler }) },
    capabilities: toFlags(capabilities),
  };
}

export function toFlags(capabilities: ResourceType["capabilities"]): Record<string, boolean> {
  return Object.fromEntries(
    Object.entries(capabilities).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  );
}
