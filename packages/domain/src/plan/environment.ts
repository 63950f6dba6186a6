/** A development container that a plan's project describes, and that the plan's commands run in instead of on the host. */
export interface PlanEnvironment {
  readonly kind: "devcontainer";
  /** `default`, or the folder in `.devcontainer/` that describes it. */
  readonly name: string;
  /** Its description's path in the project, with slashes. */
  readonly config: string;
}

/** What was asked for: the host, or a development container, which needs no name where the project has one only. */
export type EnvironmentChoice =
  | { readonly kind: "host" }
  | { readonly kind: "devcontainer"; readonly name?: string };

/** `host`, `devcontainer` or `devcontainer:NAME`; undefined for anything else. */
export function environmentChoice(text: string): EnvironmentChoice | undefined {
  if (text === "host") return { kind: "host" };
  if (text === "devcontainer") return { kind: "devcontainer" };
  const name = /^devcontainer:(.+)$/.exec(text)?.[1];
  return name === undefined ? undefined : { kind: "devcontainer", name };
}
