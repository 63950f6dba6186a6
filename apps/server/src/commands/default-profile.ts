import type { Logger, ProfileService } from "@cleveragents/application";

/**
 * A default profile that is not there would refuse every plan for which nobody chooses another, and tell the caller.
 * It may be registered later, so this is a warning.
 */
export async function warnOfMissingProfile(
  profiles: Pick<ProfileService, "find">,
  name: string | undefined,
  logger: Logger,
): Promise<void> {
  if (name === undefined || name === "") return;
  try {
    await profiles.find(name);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    logger.warn(
      { reason },
      "CLEVERAGENTS_AUTOMATION_PROFILE cannot be used by plans for which nobody chooses a profile",
    );
  }
}
