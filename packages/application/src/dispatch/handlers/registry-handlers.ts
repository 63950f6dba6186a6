import type { Action, Project } from "@cleveragents/domain";
import type { MethodName } from "@cleveragents/protocol";
import type { RegistryEntry } from "../../ports/registry-store.ts";
import type { ToolDescriptor } from "../../ports/tool-provider.ts";
import { pageByName } from "../../services/page-token.ts";
import type { ActorView, ProjectView, RegistryService } from "../../services/registry-service.ts";
import { compact } from "../../wire/message.ts";
import { iso } from "../../wire/task.ts";
import type { HandlersOf } from "../method-handlers.ts";
import { wired } from "./wired.ts";

type RegistryMethod = Exclude<
  Extract<MethodName, `_cleveragents/registry/${string}`>,
  `_cleveragents/registry/validation/${string}`
>;

export function registryHandlers(service: RegistryService | undefined): HandlersOf<RegistryMethod> {
  const registry = () => wired(service, "registry");
  return {
    async "_cleveragents/registry/action/list"(params) {
      const { items, ...page } = pageByName(await registry().list("action", params.namespace), params);
      return { actions: items.map(actionItem), ...page };
    },
    async "_cleveragents/registry/action/show"(params) {
      return actionDetail(await registry().find("action", params.name));
    },
    async "_cleveragents/registry/action/add"(params) {
      return actionDetail(
        await registry().addAction({
          document: params.document,
          file: params.file ?? "document",
          update: params.update ?? false,
        }),
      );
    },
    async "_cleveragents/registry/project/list"(params) {
      const { items, ...page } = pageByName(await registry().list("project", params.namespace), params);
      return { projects: items.map(projectItem), ...page };
    },
    async "_cleveragents/registry/project/show"(params) {
      return projectDetail(await registry().project(params.name));
    },
    async "_cleveragents/registry/project/add"(params) {
      return projectDetail(
        await registry().addProject({
          name: params.name,
          path: params.path,
          description: params.description,
          automationProfile: params.automation_profile,
        }),
      );
    },
    async "_cleveragents/registry/actor/list"(params) {
      const { items, ...page } = pageByName(await registry().actors(params.namespace), params);
      return { actors: items.map(actorItem), ...page };
    },
    async "_cleveragents/registry/actor/show"(params) {
      const actor = await registry().actor(params.name);
      return { ...actorItem(actor), actor: actor.document };
    },
    async "_cleveragents/registry/actor/add"(params) {
      const entry = await registry().addActor({
        document: params.document,
        file: params.file ?? "document",
        update: params.update ?? false,
      });
      const actor = await registry().actor(entry.name);
      return { ...actorItem(actor), actor: actor.document };
    },
    async "_cleveragents/registry/tool/list"(params) {
      const { items, ...page } = pageByName(registry().tools(params.namespace), params);
      return { tools: items.map(toolItem), ...page };
    },
  };
}

function actionItem(entry: RegistryEntry) {
  const action = entry.document as unknown as Action;
  return {
    name: entry.name,
    description: action.description,
    state: action.state,
    strategy_actor: action.strategy_actor ?? null,
    execution_actor: action.execution_actor ?? null,
    reusable: action.reusable,
    created_at: iso(entry.createdAt),
    updated_at: iso(entry.updatedAt),
  };
}

function actionDetail(entry: RegistryEntry) {
  return { ...actionItem(entry), action: entry.document };
}

function projectItem(entry: RegistryEntry) {
  const project = entry.document as unknown as Project;
  return {
    name: entry.name,
    path: project.path,
    created_at: iso(entry.createdAt),
    ...compact({ description: project.description, automation_profile: project.automationProfile }),
  };
}

function projectDetail({ entry, inspection, environments }: ProjectView) {
  return {
    ...projectItem(entry),
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

function actorItem(actor: ActorView): {
  name: string;
  type: string;
  description: string;
  source: ActorView["source"];
} {
  const { name, type, description, source } = actor;
  return { name, type, description, source };
}

function toolItem(tool: ToolDescriptor) {
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
