import type { AgentSkillResourceSlot, SkillDiagnostic } from "@cleveragents/domain";
import { parseDocument } from "yaml";
import { z } from "zod";
import { shown } from "./front-matter-yaml.ts";

/** Beside SKILL.md, for what the format has no field for. */
export const SIDECAR = "cleveragents.yaml";

const LONGEST = 16 * 1024;
const SlotName = z.string().regex(/^[A-Za-z][A-Za-z0-9_-]{0,63}$/, "a name of letters, digits, - and _");
const Slot = z.strictObject({
  name: SlotName,
  type: z.string().min(1).max(64).default("file"),
  access: z.enum(["read_only", "read_write"]).default("read_only"),
  required: z.boolean().default(true),
  description: z.string().max(1000).default(""),
});
const SidecarSchema = z.strictObject({
  resource_slots: z
    .union([
      z.array(Slot),
      z
        .record(SlotName, Slot.omit({ name: true }))
        .transform((slots) => Object.entries(slots).map(([name, slot]) => ({ name, ...slot }))),
    ])
    .default([]),
});

/** The slots that the file beside a SKILL.md declares. Never throws. */
export function readSidecar(text: string): {
  readonly slots: readonly AgentSkillResourceSlot[];
  readonly diagnostics: readonly SkillDiagnostic[];
} {
  const problem = (message: string) => ({
    slots: [],
    diagnostics: [{ level: "warning", code: "sidecar-invalid", message: `${SIDECAR}: ${message}` } as const],
  });
  if (text.length > LONGEST) return problem(`it is longer than ${LONGEST} characters`);
  try {
    const document = parseDocument(text, { schema: "core", prettyErrors: false, logLevel: "error" });
    const [error] = document.errors;
    if (error !== undefined) return problem(error.message.split("\n", 1)[0] as string);
    const read = SidecarSchema.safeParse(document.toJS({ maxAliasCount: 20 }) ?? {});
    if (read.success) return { slots: read.data.resource_slots, diagnostics: [] };
    return problem(
      read.error.issues.map(({ path, message }) => `${path.join(".")}: ${message}`.slice(0, 300)).join("; "),
    );
  } catch {
    return problem("it is nested too deeply");
  }
}

/** Slots in `metadata.resource_slots`, which can only be a text: their names. */
export function slotsInMetadata(text: string | undefined): AgentSkillResourceSlot[] {
  return (text ?? "")
    .split(/[\s,]+/)
    .filter((name) => SlotName.safeParse(name).success)
    .map((name) => ({
      name: shown(name),
      type: "file",
      access: "read_only",
      required: true,
      description: "",
    }));
}
