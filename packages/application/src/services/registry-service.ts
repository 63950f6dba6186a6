import {
  BUILTIN_RESOURCE_TYPES,
  canonicalName,
  EntryNotFoundError,
  isProviderActor,
  type JsonObject,
  like,
  ownerOfServer,
  type Project,
  type RegistryKind,
  type ResourceType,
} from "@cleveragents/domain";
import { type Principal, ProtocolError } from "@cleveragents/protocol";
import { findMcpEntry } from "../mcp/mcp-entries.ts";
import type { Clock } from "../ports/clock.ts";
import type { CommandEnvironments, FoundEnvironment } from "../ports/command-environments.ts";
import type { DocumentReader } from "../ports/document-reader.ts";
import type { RegistryEntry, RegistryStore } from "../ports/registry-store.ts";
import type { SessionStore } from "../ports/session-store.ts";
import type { ToolDescriptor } from "../ports/tool-provider.ts";
import type { Executable } from "../ports/trust.ts";
import type { ProjectInspection, Workspace } from "../ports/workspace.ts";
import type { ToolRunner } from "../tools/tool-runner.ts";
import { findProfile } from "./profile-choice.ts";
import { entryKinds } from "./registry/entry-kinds.ts";
import { EntryRegistry, type EntrySource } from "./registry/entry-registry.ts";
import { type EntryCheck, projectPlaceCheck } from "./registry/project-places.ts";
import { fullName } from "./registry/references.ts";
import type { TrustService } from "./trust-service.ts";

export interface RegistryServiceDeps {
  readonly registry: RegistryStore;
  /** Whose messages actors answer. */
  readonly sessions?: Pick<SessionStore, "using"> | undefined;
  readonly documents: DocumentReader;
  readonly workspace: Workspace;
  readonly environments?: Pick<CommandEnvironments, "detect"> | undefined;
  readonly tools: ToolRunner;
  readonly clock: Clock;
  /** Real paths below which callers who may not trust programs may have projects; anywhere when absent. */
  readonly projectRoots?: readonly string[] | undefined;
  readonly trust?: TrustService | undefined;
  /** Why a JSON Schema cannot be used, if it cannot. */
  readonly jsonSchemaProblem?: ((schema: JsonObject) => Promise<string | undefined>) | undefined;
  /** What a document of a kind would start, for whoever trusts it by registering it. */
  readonly executables?:
    | Partial<
        Record<
          RegistryKind,
          (document: JsonObject) => Promise<Executable | readonly Executable[] | undefined>
        >
      >
    | undefined;
  /** What is there of a kind without being registered, found in folders. */
  readonly discovered?: Partial<Record<RegistryKind, () => Promise<readonly RegistryEntry[]>>> | undefined;
}

export interface ActorView {
  readonly name: string;
  readonly type: string;
  readonly description: string;
  readonly source: "custom" | "action";
  readonly entry: RegistryEntry;
}

export interface ProjectView {
  readonly entry: RegistryEntry;
  readonly inspection: ProjectInspection;
  /** What it describes; nothing of it is started. */
  readonly environments: readonly FoundEnvironment[];
}

export type EntryOrigin = "builtin" | "custom" | "discovered";
export interface FoundEntry {
  readonly entry: RegistryEntry;
  readonly source: EntryOrigin;
}

export interface DocumentRequest {
  readonly document: string;
  readonly file: string;
  readonly update: boolean;
}

/** What plans are made from, of every kind. Names are stored and compared in their full form. */
export class RegistryService {
  readonly #deps: RegistryServiceDeps;
  /** What is registered, all kinds in the same way. */
  readonly entries: EntryRegistry;

  constructor(deps: RegistryServiceDeps) {
    this.#deps = deps;
    this.entries = new EntryRegistry({
      standsIn: async (kind, name) => {
        const owner = kind === "mcp" ? ownerOfServer(name) : undefined;
        const brought = owner && (await findMcpEntry(deps.registry, name));
        return brought && `the skill ${owner.skill}`;
      },
      registry: deps.registry,
      documents: deps.documents,
      clock: deps.clock,
      kinds: entryKinds(deps),
      known: (kind, name) => this.#known(kind, name),
      usedBy: async (kind, name) => {
        const sessions = kind === "actor" ? ((await deps.sessions?.using(name)) ?? 0) : 0;
        return sessions === 0 ? [] : [`${sessions} open session${sessions === 1 ? "" : "s"}`];
      },
      changed: async (kind) => {
        if (kind === "tool" || kind === "mcp" || kind === "skill" || kind === "lsp")
          await deps.tools.refresh();
      },
    });
  }

  /** What is registered, comes with the product, or was found in folders, by name; of one name the registered one. */
  async list(kind: RegistryKind, namespace: string | undefined): Promise<readonly FoundEntry[]> {
    const custom = await this.#deps.registry.list(kind);
    const names = new Set(custom.map(({ name }) => name));
    const found = (await this.#deps.discovered?.[kind]?.()) ?? [];
    return [
      ...custom.map((entry): FoundEntry => ({ entry, source: "custom" })),
      ...(kind === "resource_type"
        ? BUILTIN_RESOURCE_TYPES.map((type): FoundEntry => ({ entry: builtinType(type), source: "builtin" }))
        : []),
      ...found
        .filter(({ name }) => !names.has(name))
        .map((entry): FoundEntry => ({ entry, source: "discovered" })),
    ]
      .filter(({ entry }) => namespace === undefined || entry.name.startsWith(`${namespace}/`))
      .sort((a, b) => (a.entry.name < b.entry.name ? -1 : 1));
  }

  /** One of {@link list}. Throws `InvalidNameError` or `EntryNotFoundError`, which lists what there is. */
  async find(kind: RegistryKind, name: string): Promise<FoundEntry> {
    const all = await this.list(kind, undefined);
    const found =
      all.find(({ entry, source }) => source === "builtin" && entry.name === name) ??
      all.find(({ entry }) => entry.name === canonicalName(name));
    if (found !== undefined) return found;
    throw new EntryNotFoundError(
      kind,
      canonicalName(name),
      all.map(({ entry }) => entry.name),
    );
  }

  /** Registers it, and trusts what it would start if its owner says so. */
  async add(
    principal: Principal,
    kind: RegistryKind,
    source: EntrySource,
    { update = false, trust = false }: { readonly update?: boolean; readonly trust?: boolean } = {},
  ): Promise<RegistryEntry> {
    if (trust) this.#assertMayTrust(principal, kind);
    const entry = await this.entries.add(kind, source, update, this.#checkOf(principal, kind));
    if (trust) await this.#trust(principal, entry);
    return entry;
  }

  /** As {@link EntryRegistry.update}. */
  update(
    principal: Principal,
    kind: RegistryKind,
    source: Parameters<EntryRegistry["update"]>[1],
    of: Parameters<EntryRegistry["update"]>[2],
  ): Promise<RegistryEntry> {
    return this.entries.update(kind, source, of, this.#checkOf(principal, kind));
  }

  #checkOf(principal: Principal, kind: RegistryKind): EntryCheck | undefined {
    return kind === "project" ? projectPlaceCheck(principal, this.#deps.projectRoots) : undefined;
  }

  /** A project and the state of its folder. Throws `WorkspaceError` if it cannot be worked on. */
  async project(name: string): Promise<ProjectView> {
    const { entry } = await this.find("project", name);
    const { path } = entry.document as unknown as Project;
    return {
      entry,
      inspection: await this.#deps.workspace.inspect(path),
      environments: await this.#environments(path),
    };
  }

  /** Of one that is registered just now, as it was looked at: a folder below the root has been told of. */
  async inspected(entry: RegistryEntry, path: string): Promise<ProjectView> {
    const inspection = await this.#deps.workspace.inspect(path);
    return { entry, inspection, environments: await this.#environments(inspection.root) };
  }

  async #environments(path: string): Promise<readonly FoundEnvironment[]> {
    return (await this.#deps.environments?.detect(path)) ?? [];
  }

  /** Registered actors, and the scripts that actions carry in themselves. */
  async actors(namespace: string | undefined): Promise<readonly ActorView[]> {
    const custom = (await this.entries.list("actor", namespace)).map((entry) => actorView(entry, "custom"));
    const inline = (await this.entries.list("action", namespace))
      .filter((entry) => entry.document["script"] !== undefined)
      .map((entry) => actorView(entry, "action"));
    return [...custom, ...inline].sort((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0));
  }

  /** One of {@link actors}. */
  async actor(name: string): Promise<ActorView> {
    const inline = await this.#deps.registry.find("action", canonicalName(name));
    const custom = await this.#deps.registry.find("actor", canonicalName(name));
    if (custom === undefined && inline?.document["script"] !== undefined) return actorView(inline, "action");
    return actorView(custom ?? (await this.entries.find("actor", name)), "custom");
  }

  async tools(namespace: string | undefined): Promise<readonly ToolDescriptor[]> {
    await this.#deps.tools.refresh();
    const all = this.#deps.tools.list();
    return namespace === undefined ? all : all.filter((tool) => tool.name.startsWith(`${namespace}/`));
  }

  /** One of {@link tools}, with its document if somebody has registered it. Throws `EntryNotFoundError`. */
  async tool(
    name: string,
  ): Promise<{ readonly tool: ToolDescriptor; readonly entry: RegistryEntry | undefined }> {
    const all = await this.tools(undefined);
    const full = fullName(name);
    const tool = all.find((one) => one.name === name) ?? all.find((one) => one.name === full);
    if (tool === undefined) {
      throw new EntryNotFoundError(
        "tool",
        canonicalName(name),
        all.map((one) => one.name),
      );
    }
    return { tool, entry: await this.#deps.registry.find("tool", tool.name) };
  }

  async #known(kind: RegistryKind, name: string): Promise<string | undefined> {
    const { registry, tools, discovered } = this.#deps;
    switch (kind) {
      case "tool": {
        await tools.refresh();
        if (tools.find(name) !== undefined) return name;
        return name.includes("*") && tools.list().some((tool) => like(name, tool.name)) ? name : undefined;
      }
      case "profile":
        return (await findProfile(registry, name)).name;
      case "actor":
        return isProviderActor(name) ? name : undefined;
      // Those that skills bring go with them, and so nobody else depends on them.
      case "mcp":
        return undefined;
      case "resource_type":
        return BUILTIN_RESOURCE_TYPES.find((type) => type.name === name)?.name;
      default: {
        const full = fullName(name);
        const found = (await discovered?.[kind]?.()) ?? [];
        return found.some((entry) => entry.name === full) ? full : undefined;
      }
    }
  }

  #assertMayTrust(principal: Principal, kind: RegistryKind): void {
    if (this.#deps.trust === undefined || this.#deps.executables?.[kind] === undefined)
      throw new ProtocolError("InvalidParams", {
        violations: [
          { field: "trust", description: `nothing is started for a ${kind} by its document alone` },
        ],
      });
    if (!principal.scopes.includes("trust:write"))
      throw new ProtocolError("Forbidden", { details: { scope: "trust:write" } });
  }

  async #trust(principal: Principal, { kind, document }: RegistryEntry): Promise<void> {
    const executable = await this.#deps.executables?.[kind]?.(document);
    for (const one of [executable ?? []].flat()) await this.#deps.trust?.trust(principal, one);
  }
}

function actorView(entry: RegistryEntry, source: "custom" | "action"): ActorView {
  const { document, name } = entry;
  const type = source === "action" ? "script" : String(document["type"]);
  return { name, type, description: String(document["description"] ?? ""), source, entry };
}

function builtinType(type: ResourceType): RegistryEntry {
  return {
    kind: "resource_type",
    name: type.name,
    document: JSON.parse(JSON.stringify(type)) as JsonObject,
    createdAt: 0,
    updatedAt: 0,
  };
}
