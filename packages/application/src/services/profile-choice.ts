import {
  type AutomationProfile,
  BUILTIN_PROFILES,
  canonicalName,
  DEFAULT_PROFILE,
  InvalidNameError,
  UnknownProfileError,
} from "@cleveragents/domain";
import type { RegistryStore } from "../ports/registry-store.ts";

/** A profile by its name. Throws `UnknownProfileError`, which lists the known ones; it never falls back. */
export async function findProfile(registry: RegistryStore, name: string): Promise<AutomationProfile> {
  const builtin = BUILTIN_PROFILES.find((profile) => profile.name === name);
  if (builtin !== undefined) return builtin;
  const entry = await registry.find("profile", fullName(name) ?? "");
  if (entry !== undefined) return entry.document as unknown as AutomationProfile; // checked when it was registered
  throw new UnknownProfileError(
    name,
    (await registry.list("profile")).map((known) => known.name),
  );
}

function fullName(name: string): string | undefined {
  try {
    return canonicalName(name);
  } catch (error) {
    if (error instanceof InvalidNameError) return undefined;
    throw error;
  }
}

/** The profile of a new plan and where it comes from: plan > action > project > global. Throws `UnknownProfileError`. */
export async function chooseProfile(
  registry: RegistryStore,
  candidates: {
    readonly plan?: string | undefined;
    readonly action?: string | undefined;
    readonly project?: string | undefined;
    readonly global?: string | undefined;
  },
): Promise<{ readonly name: string; readonly source: string; readonly settings: AutomationProfile }> {
  for (const source of ["plan", "action", "project", "global"] as const) {
    const name = candidates[source];
    if (name === undefined) continue;
    const settings = await findProfile(registry, name);
    return { name: settings.name, source, settings };
  }
  const settings = await findProfile(registry, DEFAULT_PROFILE);
  return { name: settings.name, source: "global", settings };
}
