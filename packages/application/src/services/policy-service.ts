import {
  type AutomationProfile,
  type Judgement,
  judgeCommand,
  NO_RULES,
  type ShellParser,
} from "@cleveragents/domain";
import type { RegistryStore } from "../ports/registry-store.ts";
import { findProfile } from "./profile-choice.ts";

export interface Explanation extends Judgement {
  readonly profile: AutomationProfile;
  /** Whether plans of this profile are held to it. */
  readonly enforced: boolean;
}

/** Says what the guards would say, without running anything. */
export class PolicyService {
  readonly #registry: RegistryStore;
  readonly #shell: ShellParser;
  readonly #default: string;

  constructor(deps: {
    readonly registry: RegistryStore;
    readonly shell: ShellParser;
    /** The name of the profile of plans for which nobody chooses one. */
    readonly defaultProfile: string;
  }) {
    this.#registry = deps.registry;
    this.#shell = deps.shell;
    this.#default = deps.defaultProfile;
  }

  /** Throws `UnknownProfileError`. */
  async explain(command: string | readonly string[], name: string | undefined): Promise<Explanation> {
    const profile = await findProfile(this.#registry, name ?? this.#default);
    const policy = profile.guards.commands;
    const judgement = judgeCommand(policy ?? NO_RULES, this.#shell, command);
    return { ...judgement, profile, enforced: policy !== undefined };
  }
}
