import type { Clock } from "../ports/clock.ts";
import type { PushStore } from "../ports/push-store.ts";
import type { HealthCheck } from "../services/health-check.ts";

const DAY_MS = 24 * 3600 * 1000;

/** How it stands with notifications: numbers alone, since addresses are their owners' business. */
export function pushHealth({
  push,
  clock,
}: {
  readonly push: Pick<PushStore, "counts">;
  readonly clock: Clock;
}): HealthCheck {
  return {
    id: "push",
    required: false,
    remediation:
      "look into the agent's log for the receivers that were given up, and why; a client that registers again is tried again",
    async run() {
      const { waiting, failing, givenUp } = await push.counts(clock.now() - DAY_MS);
      const summary = `${waiting} waiting, ${failing} of them failing, ${givenUp} given up in the last day`;
      return givenUp > 0 ? { lacking: summary } : summary;
    },
  };
}
