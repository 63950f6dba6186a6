import type { InvariantDocument } from "../validation/invariant.ts";
import type { ContextConfig } from "./context-config.ts";

export interface Project {
  /** Full name, `namespace/name`. */
  readonly name: string;
  readonly description?: string;
  /** Absolute real path on the host that has it. */
  readonly path: string;
  readonly automationProfile?: string;
  /** Full names of registered resources that belong to it. */
  readonly linkedResources?: readonly string[];
  readonly invariants?: readonly InvariantDocument[];
  readonly contextConfig?: ContextConfig;
}

export class ProjectChoiceError extends Error {
  override readonly name = "ProjectChoiceError";
  readonly known: readonly string[];
  constructor(known: readonly string[]) {
    super(known.length === 0 ? "there is no project yet" : `more than one project: ${known.join(", ")}`);
    this.known = known;
  }
}
