import type { Owner } from "../owner/run-owner.ts";

/** Resolves when a process has to end so that the next one repairs what it works on. */
export async function untilDamaged({ agent }: Pick<Owner, "agent">): Promise<"damaged"> {
  await agent.damaged;
  return "damaged";
}

/** Resolves at the first SIGTERM, SIGINT or SIGHUP; a second one ends the process at once. */
export function untilTold(): Promise<NodeJS.Signals> {
  return new Promise((resolve) => {
    let told = false;
    for (const signal of ["SIGTERM", "SIGINT", "SIGHUP"] as const) {
      process.on(signal, () => {
        if (told) process.exit(130);
        told = true;
        resolve(signal);
      });
    }
  });
}
