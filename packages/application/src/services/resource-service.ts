import { canonicalName, type JsonObject, type Resource, type ResourceType } from "@cleveragents/domain";
import { ProtocolError } from "@cleveragents/protocol";
import type { CommandEnvironments } from "../ports/command-environments.ts";
import type { RegistryEntry, RegistryStore } from "../ports/registry-store.ts";
import { resourceType } from "./registry/entry-kinds.ts";
import type { EntryRegistry } from "./registry/entry-registry.ts";

/** A part of a resource: registered by somebody, or found in it and not to be taken away. */
export interface ResourcePart {
  readonly name: string;
  readonly type: string;
  readonly state: "registered" | "discovered";
}
export interface ResourceNode extends ResourcePart {
  readonly children: ResourceNode[];
}

/** Resources, their types and what they are parts of. */
export class ResourceService {
  readonly #deps: {
    readonly registry: RegistryStore;
    readonly entries: EntryRegistry;
    readonly environments?: Pick<CommandEnvironments, "detect"> | undefined;
  };

  constructor(deps: {
    readonly registry: RegistryStore;
    readonly entries: EntryRegistry;
    readonly environments?: Pick<CommandEnvironments, "detect"> | undefined;
  }) {
    this.#deps = deps;
  }

  /** By name. With a type, also those whose type inherits from it. */
  async list(namespace: string | undefined, type?: string): Promise<readonly RegistryEntry[]> {
    const all = await this.#deps.entries.list("resource", namespace);
    if (type === undefined) return all;
    const chosen: RegistryEntry[] = [];
    for (const entry of all) if (await this.#isOf(typeOf(entry), type)) chosen.push(entry);
    return chosen;
  }

  /** A type with all that it inherits. Throws `EntryNotFoundError`. */
  async type(name: string): Promise<ResourceType> {
    const found = await resourceType(this.#deps.registry, name);
    if (found !== undefined) return found;
    return (await this.#deps.entries.find("resource_type", name)).document as unknown as ResourceType;
  }

  async partsOf(entry: RegistryEntry): Promise<readonly ResourcePart[]> {
    const registered = (await this.#deps.registry.list("resource"))
      .filter(({ document }) => (document as unknown as Resource).parents.includes(entry.name))
      .map((child): ResourcePart => ({ name: child.name, type: typeOf(child), state: "registered" }));
    return [...registered, ...(await this.#foundIn(entry))];
  }

  /** Throws `DocumentError` for a circle, or a parent that its type does not allow. */
  async link(parent: string, child: string): Promise<RegistryEntry> {
    const { entries } = this.#deps;
    const above = await entries.find("resource", parent);
    return entries.update(
      "resource",
      ({ document }) => ({
        value: withParents(document, (parents) => [...new Set([...parents, above.name])]),
      }),
      { name: child },
    );
  }

  /** Throws `InvalidState` for what was found in the parent, and for what is no part of it. */
  async unlink(parent: string, child: string): Promise<RegistryEntry> {
    const { entries } = this.#deps;
    const above = await entries.find("resource", parent);
    if ((await this.#foundIn(above)).some(({ name }) => name === child))
      throw new ProtocolError("InvalidState", {
        message: `${child} was found in ${above.name}, and is a part of it as long as it is there`,
        details: { parent: above.name, child },
      });
    const full = canonicalName(child);
    const there = (await entries.find("resource", full)).document as unknown as Resource;
    if (!there.parents.includes(above.name))
      throw new ProtocolError("InvalidState", {
        message: `${full} is no part of ${above.name}`,
        details: { parent: above.name, child: full },
      });
    return entries.update(
      "resource",
      ({ document }) => ({
        value: withParents(document, (parents) => parents.filter((name) => name !== above.name)),
      }),
      { name: full },
    );
  }

  /** What is a part of what; with a type, the branches that lead to such resources. */
  async tree(root: string | undefined, type: string | undefined): Promise<readonly ResourceNode[]> {
    const all = await this.#deps.registry.list("resource");
    const begins =
      root === undefined
        ? all.filter(({ document }) => (document as unknown as Resource).parents.length === 0)
        : [await this.#deps.entries.find("resource", root)];
    const nodeOf = async (entry: RegistryEntry): Promise<ResourceNode> => {
      const children: ResourceNode[] = [];
      for (const part of await this.partsOf(entry)) {
        const below = part.state === "registered" ? all.find(({ name }) => name === part.name) : undefined;
        children.push(below === undefined ? { ...part, children: [] } : await nodeOf(below));
      }
      return { name: entry.name, type: typeOf(entry), state: "registered", children };
    };
    const nodes = await Promise.all(begins.map(nodeOf));
    if (type === undefined) return nodes;
    const kept: ResourceNode[] = [];
    for (const node of nodes) {
      const branch = await this.#pruned(node, type);
      if (branch !== undefined) kept.push(branch);
    }
    return kept;
  }

  async #pruned(node: ResourceNode, type: string): Promise<ResourceNode | undefined> {
    const children: ResourceNode[] = [];
    for (const child of node.children) {
      const kept = await this.#pruned(child, type);
      if (kept !== undefined) children.push(kept);
    }
    return children.length > 0 || (await this.#isOf(node.type, type)) ? { ...node, children } : undefined;
  }

  async #isOf(type: string, wanted: string): Promise<boolean> {
    for (let at: string | undefined = type, n = 0; at !== undefined && n < 20; n += 1) {
      if (at === wanted || at === `local/${wanted}`) return true;
      at = (await resourceType(this.#deps.registry, at))?.inherits;
    }
    return false;
  }

  /** Dev containers that a folder describes, where its type says that they are looked for. */
  async #foundIn(entry: RegistryEntry): Promise<readonly ResourcePart[]> {
    const { path } = (entry.document as unknown as Resource).arguments;
    const type = await resourceType(this.#deps.registry, typeOf(entry));
    const looks = type?.child_types.some(
      (child) => child.type === "devcontainer-instance" && child.auto_discover,
    );
    if (looks !== true || typeof path !== "string") return [];
    const found = (await this.#deps.environments?.detect(path).catch(() => [])) ?? [];
    return found.map(({ kind, name }) => ({
      name: `${kind}:${name}`,
      type: "devcontainer-instance",
      state: "discovered",
    }));
  }
}

function typeOf({ document }: RegistryEntry): string {
  return String(document["type"]);
}

function withParents(document: JsonObject, change: (parents: string[]) => string[]): JsonObject {
  return { ...document, parents: change([...(document as unknown as Resource).parents]) };
}
