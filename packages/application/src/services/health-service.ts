import type { Clock } from "../ports/clock.ts";
import { storageErrorIn } from "../ports/storage-error.ts";

export interface HealthCheck {
  readonly id: string;
  readonly remediation: string;
  /** Resolves with a short word on what was found, or on what is lacking; throws when it does not work. */
  readonly run: () => Promise<string | { readonly lacking: string }>;
  /** Whether the agent cannot serve without it, or only serves less. */
  readonly required: boolean;
}

export interface HealthReport {
  readonly status: "healthy" | "degraded";
  readonly version: string;
  readonly service: string;
  readonly timestamp: string;
  readonly checks: readonly {
    readonly id: string;
    readonly status: "ok" | "warn" | "error";
    readonly summary: string;
    readonly remediation?: string;
  }[];
}

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
    const checks = await Promise.all(this.#checks.map(runCheck));
    return {
      status: checks.some((check) => check.status === "error") ? "degraded" : "healthy",
      version: this.#version,
      service: "cleveragents",
      timestamp: new Date(this.#clock.now()).toISOString(),
      checks,
    };
  }
}

async function runCheck(check: HealthCheck): Promise<HealthReport["checks"][number]> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error("no answer within two seconds")), 2000);
  });
  try {
    const found = await Promise.race([check.run(), late]);
    if (typeof found === "string") return { id: check.id, status: "ok", summary: found };
    return { id: check.id, status: "warn", summary: found.lacking, remediation: check.remediation };
  } catch (error) {
    const storage = storageErrorIn(error);
    return {
      id: check.id,
      status: check.required ? "error" : "warn",
      summary: storage?.summary ?? "does not answer",
      remediation: storage?.advice ?? check.remediation,
    };
  } finally {
    clearTimeout(timer);
  }
}
