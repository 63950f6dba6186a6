import { z } from "zod";
import { NameSchema } from "../action/action-schema.ts";
import type { Check, CheckMode } from "./check.ts";
import { PROBE_FIELDS, probeFrom, probeProblems } from "./probe.ts";

const Mode = z.enum(["required", "informational"]);

/** The YAML of a validation: a tool that only looks, and says whether something holds. */
export const ValidationSchema = z
  .strictObject({
    name: NameSchema,
    description: z.string().min(1),
    mode: Mode.optional(),
    validation: z.strictObject({ mode: Mode.optional() }).optional(),
    source: z.enum(["custom", "wrapped"]).optional(),
    ...PROBE_FIELDS,
    input_schema: z.record(z.string(), z.json()).optional(),
    output_schema: z.record(z.string(), z.json()).optional(),
    read_only: z.literal(true, { error: "a validation only looks: `read_only` is true" }).optional(),
    writes: z.literal(false, { error: "a validation only looks: `writes` is false" }).optional(),
    idempotent: z.boolean().optional(),
    code: z.never({ error: "code is not run here: say `command`, `check`, `paths` or `wraps`" }).optional(),
  })
  .superRefine((raw, context) => {
    const issue = (path: string[], message: string) => context.addIssue({ code: "custom", path, message });
    for (const { path, message } of probeProblems(raw, true)) issue(path, message);
    const nested = raw.validation?.mode;
    if (raw.mode !== undefined && nested !== undefined && raw.mode !== nested)
      issue(["validation", "mode"], "it says another mode than `mode`");
    if (raw.output_schema !== undefined && !givesPassed(raw.output_schema))
      issue(["output_schema"], "what it answers needs a boolean `passed`");
  });
export type ValidationDocument = z.output<typeof ValidationSchema>;

function givesPassed(schema: Readonly<Record<string, unknown>>): boolean {
  const properties = schema["properties"] as Readonly<Record<string, unknown>> | undefined;
  const passed = properties?.["passed"] as Readonly<Record<string, unknown>> | undefined;
  return passed?.["type"] === "boolean";
}

export function modeOf(document: ValidationDocument): CheckMode {
  return document.mode ?? document.validation?.mode ?? "required";
}

/** A registered validation as a plan takes it over. */
export function checkFrom(
  document: ValidationDocument,
  where: Pick<Check, "id" | "scope" | "target"> & { readonly mode?: CheckMode | undefined },
): Check {
  const probe = probeFrom(document);
  const { id, scope, target, mode = modeOf(document) } = where;
  const { name, description } = document;
  return {
    id,
    kind: "validation",
    name,
    text: description,
    mode,
    scope,
    target,
    ...(probe === undefined ? {} : { probe }),
  };
}
