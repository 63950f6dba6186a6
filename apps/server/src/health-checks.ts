import { type HealthCheck, pushHealth } from "@cleveragents/application";
import type { Adapters } from "./adapters.ts";

/** What `health/check` looks at. */
export function healthChecks({
  store,
  commands,
  push,
  clock,
  damages = [],
}: Pick<Adapters, "store" | "commands" | "push" | "clock" | "damages">): HealthCheck[] {
  return [
    ...damageChecks(damages),
    {
      id: "store",
      required: true,
      remediation: "look into the agent's log; the data directory may be full or read-only",
      run: async () => {
        await store.check();
        return "answers";
      },
    },
    pushHealth({ push, clock }),
    {
      id: "commands",
      required: false,
      remediation:
        "install bubblewrap and let it use user namespaces (docs/guides/run-a-server.md), then start the agent anew",
      run: async () => {
        const { level, why, limits } = await commands.probe();
        const summary = `isolation ${level}: ${why}${limits === undefined ? "" : `; ${limits}`}`;
        return level === "none" ? { lacking: summary } : summary;
      },
    },
  ];
}

/** For as long as the damaged files are kept, so that nobody misses that something was lost. */
function damageChecks(damages: NonNullable<Adapters["damages"]>): HealthCheck[] {
  if (damages.length === 0) return [];
  const lacking = damages.map(({ at, lost }) => `the database was damaged and repaired at ${at}: ${lost}`);
  return [
    {
      id: "damage",
      required: false,
      remediation:
        "the .json beside each damaged file in the data directory names what was lost; move both away when you have seen it",
      run: async () => ({ lacking: lacking.join("; ") }),
    },
  ];
}
