import type { HealthCheck } from "../services/health-check.ts";

/** A text that a person hands on when something is wrong; credentials are taken out of it. */
export interface DiagnosticFile {
  readonly name: string;
  readonly text: string;
}

/** What can be said of the machine that the agent runs on. */
export interface HostDiagnostics {
  /** One for each thing that is looked at. None starts what a repository or a document has brought, or calls out. */
  checks(): readonly HealthCheck[];
  /** For the local user alone: they name paths and say what has happened. */
  files(): Promise<readonly DiagnosticFile[]>;
}
