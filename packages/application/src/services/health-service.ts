import type { Clock } from "../ports/clock.ts";
import { type CheckResult, type HealthCheck, runCheck } from "./health-check.ts";

export interface HealthReport {
  readonly status: "healthy" | "degraded";
  readonly version: string;
  readonly service: string;
  readonly timestamp: string;
  readonly checks: readonly CheckResult[];
}

const PATIENCE_MS = 2000;

/** Asks each part whether it works, at most two seconds each. */
export class HealthService {
  readonly #version: string;
  readonly #clock: Clock;
  readonly #checks: readonly HealthCheck[];

  constructor(deps: {
    readonly version: string;
    readonly clock: Clock;
    readonly checks: readonly HealthCheck[];
  }) {
    this.#version = deps.version;
    this.#clock = deps.clock;
    this.#checks = deps.checks;
  }

  async check(): Promise<HealthReport> {
    const checks = await Promise.all(this.#checks.map((check) => runCheck(check, PATIENCE_MS)));
    return {
      status: checks.some((check) => check.status === "error") ? "degraded" : "healthy",
      version: this.#version,
      service: "cleveragents",
      timestamp: new Date(this.#clock.now()).toISOString(),
      checks,
    };
  }
}
