import { type HttpAnswer, jsonAnswer } from "./http-answer.ts";
import type { HttpLogger, Probes } from "./http-server-options.ts";
import { statusOfReadiness } from "./http-status.ts";

export type ProbePath = "/health" | "/live" | "/ready" | "/version";

const NOT_STORED = { "cache-control": "no-store" };

/** What load balancers and people ask: never for a credential, never with more than versions and check names. */
export function createProbeEndpoints(
  probes: Probes,
  isStopping: () => boolean,
  logger: HttpLogger | undefined,
): Readonly<Record<ProbePath, () => Promise<HttpAnswer>>> {
  const { service, version } = probes;
  const say = (body: unknown, status = 200) => jsonAnswer(status, JSON.stringify(body), NOT_STORED);
  return {
    "/health": async () => say({ status: "healthy", timestamp: new Date().toISOString(), version, service }),
    "/live": async () => say({ status: "live" }),
    "/version": async () => say({ service, version }),
    "/ready": async () => {
      if (isStopping())
        return say({ ready: false, checks: { server: "stopping" } }, statusOfReadiness(false));
      try {
        const { ready, checks } = await probes.ready();
        return say({ ready, checks }, statusOfReadiness(ready));
      } catch (error) {
        logger?.error({ error }, "the readiness check failed");
        return say({ ready: false, checks: { server: "failing" } }, statusOfReadiness(false));
      }
    },
  };
}
