import type { FoundSkills, RegistryStore } from "@cleveragents/application";
import {
  canonicalName,
  EntryExistsError,
  InvalidNameError,
  SkillRegistrationSchema,
} from "@cleveragents/domain";

export interface RegisteredSkills {
  /** Full names. */
  readonly registered: readonly string[];
  readonly skipped: readonly { readonly name: string; readonly why: string }[];
}

/**
 * Registers what was discovered, each as a skill of one folder, so that it stays known when the search path changes. What
 * is registered already stays as it is.
 */
export async function registerDiscoveredSkills(
  { skills }: Pick<FoundSkills, "skills">,
  registry: Pick<RegistryStore, "add">,
  now: number = Date.now(),
): Promise<RegisteredSkills> {
  const registered: string[] = [];
  const skipped: { name: string; why: string }[] = [];
  for (const { name: given, version, description, folder } of skills) {
    try {
      const name = canonicalName(given);
      const document = SkillRegistrationSchema.parse({
        name,
        version,
        description,
        agent_skill_folders: [folder],
      });
      const stored = JSON.parse(JSON.stringify(document));
      await registry.add({ kind: "skill", name, document: stored, createdAt: now, updatedAt: now });
      registered.push(name);
    } catch (error) {
      if (!(error instanceof EntryExistsError || error instanceof InvalidNameError)) throw error;
      skipped.push({ name: given, why: error.message });
    }
  }
  return { registered, skipped };
}
