import { z } from "zod";
import type { Check } from "./check.ts";
import { PROBE_FIELDS, probeFrom, probeProblems } from "./probe.ts";

const Item = z.union([
  z.string().min(1),
  z.strictObject({ text: z.string().min(1), ...PROBE_FIELDS }).superRefine((raw, context) => {
    for (const { path, message } of probeProblems(raw, false))
      context.addIssue({ code: "custom", path, message });
  }),
]);

/** When an action is done: a text, or several points, each a text with or without a way to check it. */
export const DefinitionOfDoneSchema = z.union([z.string().min(1), z.array(Item).min(1)]);
export type DefinitionOfDone = z.output<typeof DefinitionOfDoneSchema>;

/** Its points as checks: what cannot be checked is for whoever approves. */
export function checksOfDone(done: DefinitionOfDone, action: string): readonly Check[] {
  const points = typeof done === "string" ? [done] : done;
  return points.map((point, n): Check => {
    const probe = typeof point === "string" ? undefined : probeFrom(point);
    return {
      id: `done:${n + 1}`,
      kind: "definition_of_done",
      name: points.length === 1 ? "definition of done" : `definition of done ${n + 1}`,
      text: typeof point === "string" ? point : point.text,
      mode: "required",
      scope: "action",
      target: action,
      ...(probe === undefined ? {} : { probe }),
    };
  });
}

/** One text, for whoever wants no more. */
export function textOfDone(done: DefinitionOfDone): string {
  if (typeof done === "string") return done;
  return done.map((point) => (typeof point === "string" ? point : point.text)).join("; ");
}
