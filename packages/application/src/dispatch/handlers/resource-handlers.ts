import type { JsonObject, Resource } from "@cleveragents/domain";
import { type MethodName, ProtocolError } from "@cleveragents/protocol";
import type { RegistryEntry } from "../../ports/registry-store.ts";
import type { EntrySource } from "../../services/registry/entry-registry.ts";
import type { RegistryService } from "../../services/registry-service.ts";
import type { ResourceService } from "../../services/resource-service.ts";
import { toFlags, toResourceItem, toResourceTypeFacts, toResourceTypeItem } from "../../wire/entries.ts";
import { compact } from "../../wire/message.ts";
import type { HandlersOf } from "../method-handlers.ts";
import { documentOf, entryHandlers } from "./entry-handlers.ts";
import { namespaceIn } from "./registry-handlers.ts";
import { wired } from "./wired.ts";

type ResourceMethod = Extract<MethodName, `_cleveragents/registry/resource${"" | "_type"}/${string}`>;

export function resourceHandlers(
  registryService: RegistryService | undefined,
  resourceService: ResourceService | undefined,
): HandlersOf<ResourceMethod> {
  const registry = () => wired(registryService, "registry");
  const resources = () => wired(resourceService, "resource");
  const detail = async (entry: RegistryEntry) => {
    const type = await resources().type(String(entry.document["type"]));
    return {
      ...toResourceItem(entry),
      physical_virtual: type.physical_or_virtual,
      capabilities: toFlags(type.capabilities),
      children: [...(await resources().partsOf(entry))],
      ...(await documentOf(registry(), "resource", entry)),
    };
  };
  return {
    ...entryHandlers("resource", registry, (of) => ({
      plural: "resources",
      async list(params) {
        const type = "type_name" in params ? params.type_name : undefined;
        return (await resources().list(namespaceIn(params), type)).map(toResourceItem);
      },
      show: async (name) => detail(await of.entries.find("resource", name)),
      changed: detail,
      fields: (params, there) => resourceFields(params as ResourceFields, there),
    })),
    ...entryHandlers("resource_type", registry, (of) => ({
      plural: "resource_types",
      list: async (params) => (await of.list("resource_type", namespaceIn(params))).map(toResourceTypeItem),
      async show(name) {
        const found = await of.find("resource_type", name);
        const { revision, resource_type } = await documentOf(of, "resource_type", found.entry);
        return {
          ...toResourceTypeItem(found),
          ...toResourceTypeFacts(await resources().type(found.entry.name)),
          ...(found.source === "custom" ? { revision } : {}),
          resource_type,
        };
      },
    })),
    async "_cleveragents/registry/resource/link"({ parent, child }) {
      return detail(await resources().link(parent, child));
    },
    async "_cleveragents/registry/resource/unlink"({ parent, child }) {
      return detail(await resources().unlink(parent, child));
    },
    async "_cleveragents/registry/resource/tree"({ name, type_name }) {
      return { tree: [...(await resources().tree(name, type_name))] };
    },
  };
}

interface ResourceFields {
  readonly name?: string | undefined;
  readonly type?: string | undefined;
  readonly description?: string | undefined;
  readonly arguments?: Record<string, string | number | boolean> | undefined;
  readonly parents?: string[] | undefined;
}

/** Of one that is there already, arguments that are given stand over those that it has. */
function resourceFields(params: ResourceFields, there: RegistryEntry | undefined): EntrySource {
  const { name, type, description, arguments: given, parents } = params;
  if (there !== undefined) {
    const old = there.document as unknown as Resource;
    const value = {
      ...old,
      ...compact({ description }),
      arguments: { ...old.arguments, ...given },
    } as unknown as JsonObject;
    return { value };
  }
  if (name === undefined || type === undefined)
    throw new ProtocolError("InvalidParams", {
      violations: [{ field: name === undefined ? "name" : "type", description: "is missing" }],
    });
  return { value: { name, type, ...compact({ description, arguments: given, parents }) } };
}
