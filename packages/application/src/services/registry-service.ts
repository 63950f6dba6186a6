import {
  type Action,
  ActionSchema,
  canonicalName,
  EntryNotFoundError,
  type JsonObject,
  type Project,
  type RegistryKind,
  type ScriptActor,
  ScriptActorSchema,
} from "@cleveragents/domain";
import type { Clock } from "../ports/clock.ts";
import type { CommandEnvironments, FoundEnvironment } from "../ports/command-environments.ts";
import type { DocumentReader } from "../ports/document-reader.ts";
import type { RegistryEntry, RegistryStore } from "../ports/registry-store.ts";
import type { ToolDescriptor } from "../ports/tool-provider.ts";
import type { ProjectInspection, Workspace } from "../ports/workspace.ts";
import type { ToolRunner } from "../tools/tool-runner.ts";
import { compact } from "../wire/message.ts";
import { findValidation } from "./plan-checks.ts";
import { checkProbes, probesOf } from "./probe-check.ts";
import { findProfile } from "./profile-choice.ts";
import { checkExpressions } from "./script-check.ts";

export interface RegistryServiceDeps {
  readonly registry: RegistryStore;
  readonly documents: DocumentReader;
  readonly workspace: Workspace;
  readonly environments?: Pick<CommandEnvironments, "detect"> | undefined;
  readonly tools: ToolRunner;
  readonly clock: Clock;
}

export interface ActorView {
  readonly name: string;
  readonly type: string;
  readonly description: string;
  readonly source: "custom" | "action";
  readonly document: JsonObject;
}

export interface ProjectView {
  readonly entry: RegistryEntry;
  readonly inspection: ProjectInspection;
  /** What it describes; nothing of it is started. */
  readonly environments: readonly FoundEnvironment[];
}

export interface DocumentRequest {
  readonly document: string;
  readonly file: string;
  readonly update: boolean;
}

/** What plans are made from: actions, projects, actors, tools. Names are stored and compared in their full form. */
export class RegistryService {
  readonly #deps: RegistryServiceDeps;

  constructor(deps: RegistryServiceDeps) {
    this.#deps = deps;
  }

  async list(kind: RegistryKind, namespace: string | undefined): Promise<readonly RegistryEntry[]> {
    const entries = await this.#deps.registry.list(kind);
    return namespace === undefined
      ? entries
      : entries.filter((entry) => entry.name.startsWith(`${namespace}/`));
  }

  /** Throws `InvalidNameError` or `EntryNotFoundError`, which lists what there is. */
  async find(kind: RegistryKind, name: string): Promise<RegistryEntry> {
    const full = canonicalName(name);
    const entry = await this.#deps.registry.find(kind, full);
    if (entry === undefined)
      throw new EntryNotFoundError(
        kind,
        full,
        (await this.#deps.registry.list(kind)).map((known) => known.name),
      );
    return entry;
  }

  /** Registers an action. Throws `DocumentError` with every problem by line, `EntryExistsError`, `EntryNotFoundError` for an actor. */
  async addAction(request: DocumentRequest): Promise<RegistryEntry> {
    const { documents, registry } = this.#deps;
    const read = documents.read({
      text: request.document,
      file: request.file,
      wrapper: "action",
      schema: ActionSchema,
    });
    if (read.script !== undefined) checkExpressions(request.file, read.script);
    checkProbes(request.file, this.#deps.tools, probesOf(read));
    const actors = { strategy_actor: read.strategy_actor, execution_actor: read.execution_actor };
    for (const [field, name] of Object.entries(actors)) {
      if (name === undefined) continue;
      const full = canonicalName(name);
      if ((await registry.find("actor", full)) === undefined) {
        throw new EntryNotFoundError(
          "actor",
          full,
          (await registry.list("actor")).map((known) => known.name),
        );
      }
      Object.assign(actors, { [field]: full });
    }
    if (read.automation_profile !== undefined) await findProfile(registry, read.automation_profile);
    for (const validation of read.validations ?? []) await findValidation(registry, validation);
    const action: Action = { ...read, ...compact(actors), name: canonicalName(read.name) };
    return this.#put("action", action.name, action as unknown as JsonObject, request.update);
  }

  async addActor(request: DocumentRequest): Promise<RegistryEntry> {
    const read = this.#deps.documents.read({
      text: request.document,
      file: request.file,
      wrapper: "actor",
      schema: ScriptActorSchema,
    });
    checkExpressions(request.file, read.script);
    const actor: ScriptActor = { ...read, name: canonicalName(read.name) };
    return this.#put("actor", actor.name, actor as unknown as JsonObject, request.update);
  }

  /** Registers a folder. Throws `WorkspaceError` if it cannot be worked on. */
  async addProject(request: {
    readonly name: string;
    readonly path: string;
    readonly description?: string | undefined;
    readonly automationProfile?: string | undefined;
  }): Promise<ProjectView> {
    const name = canonicalName(request.name);
    if (request.automationProfile !== undefined)
      await findProfile(this.#deps.registry, request.automationProfile);
    const inspection = await this.#deps.workspace.inspect(request.path);
    const project: Project = {
      name,
      path: inspection.root,
      createdAt: this.#deps.clock.now(),
      ...compact({ description: request.description, automationProfile: request.automationProfile }),
    };
    const entry = await this.#put("project", name, project as unknown as JsonObject, false);
    return { entry, inspection, environments: await this.#environments(project.path) };
  }

  async project(name: string): Promise<ProjectView> {
    const entry = await this.find("project", name);
    const { path } = entry.document as unknown as Project;
    const inspection = await this.#deps.workspace.inspect(path);
    return { entry, inspection, environments: await this.#environments(path) };
  }

  async #environments(path: string): Promise<readonly FoundEnvironment[]> {
    return (await this.#deps.environments?.detect(path)) ?? [];
  }

  /** Registered actors, and the scripts that actions carry in themselves. */
  async actors(namespace: string | undefined): Promise<readonly ActorView[]> {
    const custom = (await this.list("actor", namespace)).map((entry) => actorView(entry, "custom"));
    const inline = (await this.list("action", namespace))
      .filter((entry) => entry.document["script"] !== undefined)
      .map((entry) => actorView(entry, "action"));
    return [...custom, ...inline].sort((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0));
  }

  /** One of {@link actors}. */
  async actor(name: string): Promise<ActorView> {
    const inline = await this.#deps.registry.find("action", canonicalName(name));
    const custom = await this.#deps.registry.find("actor", canonicalName(name));
    if (custom === undefined && inline?.document["script"] !== undefined) return actorView(inline, "action");
    return actorView(custom ?? (await this.find("actor", name)), "custom");
  }

  tools(namespace: string | undefined): readonly ToolDescriptor[] {
    const all = this.#deps.tools.list();
    return namespace === undefined ? all : all.filter((tool) => tool.name.startsWith(`${namespace}/`));
  }

  async #put(
    kind: RegistryKind,
    name: string,
    document: JsonObject,
    update: boolean,
  ): Promise<RegistryEntry> {
    const { registry, clock } = this.#deps;
    const now = clock.now();
    const there = update ? await registry.find(kind, name) : undefined;
    const entry: RegistryEntry = { kind, name, document, createdAt: there?.createdAt ?? now, updatedAt: now };
    await (there === undefined ? registry.add(entry) : registry.replace(entry));
    return entry;
  }
}

function actorView(entry: RegistryEntry, source: "custom" | "action"): ActorView {
  const { document, name } = entry;
  return { name, type: "script", description: String(document["description"] ?? ""), source, document };
}
