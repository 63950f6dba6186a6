import { z } from "zod";
import type { Check, CheckScope } from "./check.ts";
import { PROBE_FIELDS, type Probe, probeFrom, probeProblems } from "./probe.ts";

/** An invariant in a document: a text, or a text with a way to check it. */
export const InvariantSchema = z.union([
  z.string().min(1),
  z
    .strictObject({
      text: z.string().min(1),
      /** Invariants of one name are about the same: of several the one of the narrowest scope holds. */
      name: z
        .string()
        .regex(/^[A-Za-z][A-Za-z0-9_-]*$/, "a name begins with a letter and holds letters, digits, _ and -")
        .optional(),
      ...PROBE_FIELDS,
    })
    .superRefine((raw, context) => {
      for (const { path, message } of probeProblems(raw, false))
        context.addIssue({ code: "custom", path, message });
    }),
]);
export type InvariantDocument = z.output<typeof InvariantSchema>;

/** What a plan keeps to. */
export interface Invariant {
  readonly id: string;
  readonly text: string;
  readonly name?: string;
  readonly scope: CheckScope;
  /** The name of what it is of: an action, a project, a plan; `global`. */
  readonly source: string;
  /** Of global ones: nobody narrower says otherwise. */
  readonly nonOverridable?: boolean;
  readonly probe?: Probe;
}

export function invariantFrom(
  document: InvariantDocument,
  where: Pick<Invariant, "id" | "scope" | "source" | "nonOverridable">,
): Invariant {
  if (typeof document === "string") return { ...where, text: document };
  const probe = probeFrom(document);
  const { text, name } = document;
  return {
    ...where,
    text,
    ...(name === undefined ? {} : { name }),
    ...(probe === undefined ? {} : { probe }),
  };
}

export interface Overridden {
  readonly invariant: Invariant;
  readonly by: Invariant;
}

const NARROWEST_FIRST: readonly CheckScope[] = ["plan", "action", "project", "global"];

/**
 * The invariants that hold together: of those that are about the same (of one name, or of one text) the first in the
 * order non-overridable, plan, action, project, global. Whether two different texts agree is not for a machine.
 */
export function reconcile(all: readonly Invariant[]): {
  readonly effective: readonly Invariant[];
  readonly overridden: readonly Overridden[];
} {
  const rank = ({ nonOverridable, scope }: Invariant) =>
    nonOverridable === true ? -1 : NARROWEST_FIRST.indexOf(scope);
  const ordered = all
    .map((invariant, at) => ({ invariant, at }))
    .sort((a, b) => rank(a.invariant) - rank(b.invariant) || a.at - b.at)
    .map(({ invariant }) => invariant);
  const effective: Invariant[] = [];
  const overridden: Overridden[] = [];
  for (const invariant of ordered) {
    const by = effective.find((held) => isAboutTheSame(held, invariant));
    if (by === undefined) effective.push(invariant);
    else overridden.push({ invariant, by });
  }
  return { effective, overridden };
}

function isAboutTheSame(a: Invariant, b: Invariant): boolean {
  if (a.name !== undefined && a.name === b.name) return true;
  return plain(a.text) === plain(b.text);
}

function plain(text: string): string {
  return text.trim().toLowerCase().replace(/\s+/g, " ").replace(/\.$/, "");
}

/** An invariant as a check at the end of Execute. */
export function checkOfInvariant({ id, text, name, scope, source, probe }: Invariant): Check {
  return {
    id,
    kind: "invariant",
    name: name ?? id,
    text,
    mode: "required",
    scope,
    target: source,
    ...(probe === undefined ? {} : { probe }),
  };
}
