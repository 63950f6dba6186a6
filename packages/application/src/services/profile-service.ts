import {
  type AutomationProfile,
  BUILTIN_PROFILES,
  canonicalName,
  EntryNotFoundError,
  type JsonObject,
  ProfileSchema,
  profileFrom,
} from "@cleveragents/domain";
import { ProtocolError } from "@cleveragents/protocol";
import type { Clock } from "../ports/clock.ts";
import type { DocumentReader } from "../ports/document-reader.ts";
import type { RegistryEntry, RegistryStore } from "../ports/registry-store.ts";
import type { DocumentRequest } from "./registry-service.ts";

export interface ProfileView {
  readonly profile: AutomationProfile;
  readonly source: "builtin" | "custom";
  /** Plans for which nobody chooses another one get it. */
  readonly isDefault: boolean;
  readonly createdAt?: number;
  readonly updatedAt?: number;
}

/** Automation profiles: the built-in ones and those that somebody registered. */
export class ProfileService {
  readonly #registry: RegistryStore;
  readonly #documents: DocumentReader;
  readonly #clock: Clock;
  readonly #default: string;

  constructor(deps: {
    readonly registry: RegistryStore;
    readonly documents: DocumentReader;
    readonly clock: Clock;
    /** The name of the profile of plans for which nobody chooses one. */
    readonly defaultProfile: string;
  }) {
    this.#registry = deps.registry;
    this.#documents = deps.documents;
    this.#clock = deps.clock;
    this.#default = deps.defaultProfile;
  }

  /** By name, ascending; built-in ones lie in no namespace. */
  async list(namespace: string | undefined): Promise<readonly ProfileView[]> {
    const custom = (await this.#registry.list("profile")).filter(
      ({ name }) => namespace === undefined || name.startsWith(`${namespace}/`),
    );
    const builtin = namespace === undefined ? BUILTIN_PROFILES : [];
    const all = [...builtin.map((profile) => this.#builtin(profile)), ...custom.map((e) => this.#custom(e))];
    return all.sort((a, b) => (a.profile.name < b.profile.name ? -1 : 1));
  }

  /** Throws `InvalidNameError`, or `EntryNotFoundError` that lists what there is. */
  async find(name: string): Promise<ProfileView> {
    const builtin = BUILTIN_PROFILES.find((profile) => profile.name === name);
    if (builtin !== undefined) return this.#builtin(builtin);
    const full = canonicalName(name);
    const entry = await this.#registry.find("profile", full);
    if (entry === undefined) throw await this.#notFound(full);
    return this.#custom(entry);
  }

  /** Throws `DocumentError` with every problem by line, or `EntryExistsError`. Plans that exist keep what they have. */
  async add(request: DocumentRequest): Promise<ProfileView> {
    const read = this.#documents.read({
      text: request.document,
      file: request.file,
      wrapper: "profile",
      schema: ProfileSchema,
    });
    const name = canonicalName(read.name);
    const there = request.update ? await this.#registry.find("profile", name) : undefined;
    const now = this.#clock.now();
    const entry: RegistryEntry = {
      kind: "profile",
      name,
      document: profileFrom({ ...read, name }) as unknown as JsonObject,
      createdAt: there?.createdAt ?? now,
      updatedAt: now,
    };
    await (there === undefined ? this.#registry.add(entry) : this.#registry.replace(entry));
    return this.#custom(entry);
  }

  /** Throws `EntryNotFoundError`, or `InvalidState` for a built-in one and for one that something still names. */
  async remove(name: string): Promise<string> {
    const { profile, source } = await this.find(name);
    if (source === "builtin")
      throw new ProtocolError("InvalidState", {
        message: `${profile.name} is a built-in profile`,
        details: { profile: profile.name },
      });
    const users = await this.#usersOf(profile.name);
    if (users.length > 0)
      throw new ProtocolError("InvalidState", {
        message: `${profile.name} is the profile of ${users.join(", ")}`,
        details: { profile: profile.name, used_by: users },
        hint: "give them another profile first",
      });
    await this.#registry.remove("profile", profile.name);
    return profile.name;
  }

  async #usersOf(name: string): Promise<readonly string[]> {
    const same = (value: unknown) => typeof value === "string" && isSameProfile(value, name);
    const actions = (await this.#registry.list("action"))
      .filter(({ document }) => same(document["automation_profile"]))
      .map((entry) => `the action ${entry.name}`);
    const projects = (await this.#registry.list("project"))
      .filter(({ document }) => same(document["automationProfile"]))
      .map((entry) => `the project ${entry.name}`);
    return [...actions, ...projects, ...(same(this.#default) ? ["plans by default"] : [])];
  }

  async #notFound(full: string): Promise<EntryNotFoundError> {
    const custom = (await this.#registry.list("profile")).map(({ name }) => name);
    return new EntryNotFoundError("profile", full, [...BUILTIN_PROFILES.map(({ name }) => name), ...custom]);
  }

  #builtin(profile: AutomationProfile): ProfileView {
    return { profile, source: "builtin", isDefault: profile.name === this.#default };
  }

  #custom({ name, document, createdAt, updatedAt }: RegistryEntry): ProfileView {
    const isDefault = isSameProfile(this.#default, name);
    const profile = document as unknown as AutomationProfile; // checked when it was registered
    return { profile, source: "custom", isDefault, createdAt, updatedAt };
  }
}

function isSameProfile(spelling: string, full: string): boolean {
  return spelling === full || `local/${spelling}` === full;
}
