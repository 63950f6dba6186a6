import { storageErrorIn } from "../ports/storage-error.ts";

export interface HealthCheck {
  readonly id: string;
  readonly remediation: string;
  /** Resolves with a short word on what was found, or on what is lacking; throws when it does not work. */
  readonly run: () => Promise<string | { readonly lacking: string }>;
  /** Whether the agent cannot serve without it, or only serves less. */
  readonly required: boolean;
}

/** What was found of one. */
export interface CheckResult {
  readonly id: string;
  readonly status: "ok" | "warn" | "error";
  readonly summary: string;
  readonly remediation?: string;
}

/** Asks whether something works, for at most so long. */
export async function runCheck(check: HealthCheck, patienceMs: number): Promise<CheckResult> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error("no answer in time")), patienceMs);
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
