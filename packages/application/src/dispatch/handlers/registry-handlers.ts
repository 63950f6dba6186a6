import { canonicalName, languageIds } from "@cleveragents/domain";
import { type MethodName, ProtocolError } from "@cleveragents/protocol";
import type { RegistryEntry } from "../../ports/registry-store.ts";
import type { EntrySource } from "../../services/registry/entry-registry.ts";
import type { ActorView, ProjectView, RegistryService } from "../../services/registry-service.ts";
import type { SkillService } from "../../skills/skill-service.ts";
import {
  toActionItem,
  toActorItem,
  toLspServerItem,
  toMcpServerItem,
  toProjectItem,
  toProjectState,
  toSkillItem,
  toToolDetail,
  toToolItem,
} from "../../wire/entries.ts";
import { compact } from "../../wire/message.ts";
import type { HandlersOf } from "../method-handlers.ts";
import { documentOf, entryHandlers } from "./entry-handlers.ts";
import { wired } from "./wired.ts";

type Kind = "action" | "actor" | "project" | "tool" | "skill" | "mcp" | "lsp";
type RegistryMethod = Extract<
  MethodName,
  | `_cleveragents/registry/${Kind}/${"list" | "show" | "add" | "update" | "remove"}`
  | "_cleveragents/registry/action/archive"
>;

export function registryHandlers(
  service: RegistryService | undefined,
  skills: SkillService | undefined,
): HandlersOf<RegistryMethod> {
  const registry = () => wired(service, "registry");
  return {
    ...entryHandlers("action", registry, (of) => ({
      plural: "actions",
      list: async (params) => (await of.entries.list("action", namespaceIn(params))).map(toActionItem),
      async show(name) {
        const entry = await of.entries.find("action", name);
        return { ...toActionItem(entry), ...(await documentOf(of, "action", entry)) };
      },
    })),
    async "_cleveragents/registry/action/archive"(given) {
      const of = registry();
      const archived = (there: RegistryEntry) => ({
        value: { ...of.entries.written(there), state: "archived" },
      });
      const entry = await of.entries.update("action", archived, given);
      return { ...toActionItem(entry), ...(await documentOf(of, "action", entry)) };
    },
    ...projectHandlers(registry),
    ...entryHandlers("actor", registry, (of) => ({
      plural: "actors",
      list: async (params) => (await of.actors(namespaceIn(params))).map(toActorItem),
      show: async (name) => actorDetail(of, await of.actor(name)),
      changed: async (entry) => actorDetail(of, await of.actor(entry.name)),
    })),
    ...entryHandlers("tool", registry, (of) => ({
      plural: "tools",
      async list(params) {
        const source = "source" in params ? params.source : undefined;
        const all = (await of.tools(namespaceIn(params))).map(toToolItem);
        return source === undefined ? all : all.filter((tool) => tool.source === source);
      },
      async show(name) {
        const found = await of.tool(name);
        const { entry } = found;
        return {
          ...toToolDetail(found),
          ...(entry === undefined ? {} : await documentOf(of, "tool", entry)),
        };
      },
    })),
    ...entryHandlers("skill", registry, (of) => ({
      plural: "skills",
      list: async (params) => (await of.list("skill", namespaceIn(params))).map(toSkillItem),
      async show(name) {
        const found = await of.find("skill", name);
        const { revision, skill } = await documentOf(of, "skill", found.entry);
        const users = await of.entries.usersOf("skill", found.entry.name);
        return {
          ...toSkillItem(found),
          ...(found.source === "custom" ? { revision } : {}),
          referenced_by: users.map(({ entry }) => entry.name),
          ...compact({ instructions: await skills?.instructions(found.entry) }),
          skill,
        };
      },
    })),
    ...entryHandlers("mcp", registry, (of) => ({
      plural: "mcp_servers",
      list: async (params) => (await of.list("mcp", namespaceIn(params))).map(toMcpServerItem),
      async show(name) {
        const found = await of.find("mcp", name);
        return { ...toMcpServerItem(found), ...(await documentOf(of, "mcp_server", found.entry)) };
      },
    })),
    ...entryHandlers("lsp", registry, (of) => ({
      plural: "lsp_servers",
      async list(params) {
        const all = (await of.entries.list("lsp", namespaceIn(params))).map(toLspServerItem);
        const language = "language" in params ? params.language : undefined;
        if (language === undefined) return all;
        const wanted = languageIds(language);
        return all.filter(({ languages }) => wanted.some((id) => languages.includes(id)));
      },
      async show(name) {
        const entry = await of.entries.find("lsp", name);
        return { ...toLspServerItem(entry), ...(await documentOf(of, "lsp_server", entry)) };
      },
    })),
  };
}

function projectHandlers(registry: () => RegistryService) {
  const detail = async (of: RegistryService, view: ProjectView) => ({
    ...toProjectItem(view.entry),
    ...toProjectState(view),
    ...(await documentOf(of, "project", view.entry)),
  });
  return entryHandlers("project", registry, (of) => ({
    plural: "projects",
    list: async (params) => (await of.entries.list("project", namespaceIn(params))).map(toProjectItem),
    show: async (name) => detail(of, await of.project(name)),
    async changed(entry, params) {
      const path = (params as ProjectFields).path;
      return detail(of, path === undefined ? await of.project(entry.name) : await of.inspected(entry, path));
    },
    fields: (params, there) => projectFields(of, params as ProjectFields, there),
  }));
}

interface ProjectFields {
  readonly name?: string | undefined;
  readonly path?: string | undefined;
  readonly description?: string | undefined;
  readonly automation_profile?: string | undefined;
  readonly linked_resources?: string[] | undefined;
  readonly invariants?: string[] | undefined;
}

function projectFields(
  of: RegistryService,
  params: ProjectFields,
  there: RegistryEntry | undefined,
): EntrySource {
  const { name, path, description, automation_profile, linked_resources, invariants } = params;
  if (there === undefined && (name === undefined || path === undefined))
    throw new ProtocolError("InvalidParams", {
      violations: [{ field: name === undefined ? "name" : "path", description: "is missing" }],
    });
  const old = there === undefined ? {} : of.entries.written(there);
  const value = {
    ...old,
    ...compact({ path, description, automation_profile, linked_resources, invariants }),
    name: there?.name ?? canonicalName(name as string), // checked above
  };
  const isEmpty = (field: unknown) => field === "" || (Array.isArray(field) && field.length === 0);
  return {
    value: Object.fromEntries(
      Object.entries(value).filter(([field, given]) => field === "path" || !isEmpty(given)),
    ),
  };
}

async function actorDetail(of: RegistryService, actor: ActorView) {
  return { ...toActorItem(actor), ...(await documentOf(of, "actor", actor.entry)) };
}

/** Also of a call without one, since one function serves all verbs. */
export function namespaceIn(params: object): string | undefined {
  return "namespace" in params ? (params.namespace as string | undefined) : undefined;
}
