import { LOCAL_PRINCIPAL, type Principal, ProtocolError } from "@cleveragents/protocol";
import type { Clock } from "../ports/clock.ts";
import type { DiagnosticFile, HostDiagnostics } from "../ports/host-diagnostics.ts";
import type { PlanEngine } from "../ports/plan-engine.ts";
import type { TaskStore } from "../ports/task-store.ts";
import { type CheckResult, type HealthCheck, runCheck } from "./health-check.ts";

export interface DiagnosticsServiceDeps {
  readonly version: string;
  readonly clock: Clock;
  readonly store: Pick<TaskStore, "feed">;
  readonly engine: Pick<PlanEngine, "status">;
  /** What `health/check` looks at. */
  readonly health: readonly HealthCheck[];
  /** Opened when it is first asked. */
  readonly host?: (() => Promise<HostDiagnostics>) | undefined;
}

export interface DiagnosticsReport {
  readonly status: CheckResult["status"];
  readonly version: string;
  readonly service: string;
  readonly timestamp: string;
  readonly checks: readonly CheckResult[];
  readonly files?: readonly DiagnosticFile[];
}

/** Programs are started, so it may take longer than a probe. */
const PATIENCE_MS = 10_000;
/** Hosts that share a store are that far apart at most. */
const CLOCKS_APART_MS = 60_000;

/** Looks at everything that plans need. */
export class DiagnosticsService {
  readonly #deps: DiagnosticsServiceDeps;

  constructor(deps: DiagnosticsServiceDeps) {
    this.#deps = deps;
  }

  /** With `files` also what to hand on; throws `Forbidden` where somebody else than the local user wants them. */
  async run(
    principal: Principal,
    { files = false }: { readonly files?: boolean | undefined },
  ): Promise<DiagnosticsReport> {
    if (files && principal.id !== LOCAL_PRINCIPAL.id)
      throw new ProtocolError("Forbidden", {
        message: "Only the local user of the agent's machine may have its log and settings",
        hint: "run agents diagnostics run --bundle there, without --server",
      });
    const { version, clock, health } = this.#deps;
    const host = await this.#deps.host?.();
    const all = [...health, this.#engine(), this.#clock(), ...(host?.checks() ?? [])];
    const checks = await Promise.all(all.map((check) => runCheck(check, PATIENCE_MS)));
    const worst = (["error", "warn"] as const).find((word) => checks.some(({ status }) => status === word));
    return {
      status: worst ?? "ok",
      version,
      service: "cleveragents",
      timestamp: new Date(clock.now()).toISOString(),
      checks,
      ...(files && { files: (await host?.files()) ?? [] }),
    };
  }

  #engine(): HealthCheck {
    return {
      id: "engine",
      required: true,
      remediation: "look into the agent's log; the next start repairs a damaged engine.db",
      run: async () => {
        await this.#deps.engine.status("none");
        return "answers";
      },
    };
  }

  /** A clock that was put back makes times of the log run backwards, and leases last too long. */
  #clock(): HealthCheck {
    const { store, clock } = this.#deps;
    return {
      id: "clock",
      required: false,
      remediation: "set the machine's clock, and let it be kept (NTP)",
      run: async () => {
        const { next } = await store.feed("now", { principal: null });
        const before = { at: Math.max(0, next.at - 1), taskId: "", seq: 0 };
        const { events } = await store.feed(before, { principal: null }, 1);
        const newest = events.at(-1)?.logged.at;
        const behind = newest === undefined ? 0 : newest - clock.now();
        if (behind > CLOCKS_APART_MS)
          return { lacking: `it is ${Math.round(behind / 1000)} s behind what was logged last` };
        return new Date(clock.now()).toISOString();
      },
    };
  }
}
