import { type Check, type Invariant, modeOf, type Plan, probeFrom } from "@cleveragents/domain";
import type { ResultOf } from "@cleveragents/protocol";
import type { InvariantView } from "../services/invariant-service.ts";
import type { Attachment } from "../services/plan-checks.ts";
import type { ValidationView } from "../services/validation-service.ts";
import { compact } from "./message.ts";
import { iso } from "./task.ts";

type Status = ResultOf<"_cleveragents/plan/status">;
type ValidationResult = NonNullable<Status["validations"]>[number];
type InvariantItem = ResultOf<"_cleveragents/invariant/list">["invariants"][number];
type HeldInvariant = NonNullable<Status["invariants"]>[number];

/** What a plan is checked by, and what that has come to; null where nobody has looked, or nobody can. */
export function toWireChecks({ checks = [] }: Plan): ValidationResult[] | undefined {
  const shown = checks.flatMap((check) =>
    check.kind === "invariant" ? [] : [{ ...check, kind: check.kind }],
  );
  return shown.length === 0 ? undefined : shown.map(toWireCheck);
}

type ShownCheck = Check & { readonly kind: Exclude<Check["kind"], "invariant"> };

function toWireCheck({
  id,
  kind,
  name,
  text,
  mode,
  scope,
  target,
  probe,
  result,
}: ShownCheck): ValidationResult {
  return {
    validation: name,
    kind,
    text,
    mode,
    checkable: probe !== undefined,
    passed: result?.passed ?? null,
    attachment_id: id,
    attachment_scope: scope,
    attachment_scope_target: target,
    ...(result === undefined
      ? {}
      : compact({
          message: result.message,
          data: result.data,
          duration_ms: result.durationMs,
          attempt: result.attempt,
          judged_by: result.judgedBy,
        })),
  };
}

export function toWireHeld({ invariants = [], reconciled, checks = [] }: Plan): HeldInvariant[] | undefined {
  const held = reconciled?.effective ?? invariants;
  if (held.length === 0) return undefined;
  return held.map((invariant) => {
    const result = checks.find(({ id }) => id === invariant.id)?.result;
    return {
      ...toWireInvariant({ invariant }),
      passed: result?.passed ?? null,
      ...compact({ message: result?.message, judged_by: result?.judgedBy }),
    };
  });
}

export function toWireInvariant({ invariant, createdAt }: InvariantView): InvariantItem {
  const { id, text, name, scope, source, nonOverridable, probe } = invariant;
  return {
    id,
    text,
    scope,
    source,
    non_overridable: nonOverridable === true,
    checkable: probe !== undefined,
    ...compact({ name, created_at: createdAt === undefined ? undefined : iso(createdAt) }),
  };
}

export function toWireConflict({ invariant, by }: { readonly invariant: Invariant; readonly by: Invariant }) {
  const end = ({ id, text, scope, source }: Invariant) => ({ id, text, scope, source });
  return { overridden: end(invariant), by: end(by) };
}

export function toValidationItem({ entry, validation, attachments }: ValidationView) {
  return {
    name: entry.name,
    description: validation.description,
    mode: modeOf(validation),
    kind: probeFrom(validation)?.kind ?? "command",
    attachments: attachments.length,
    created_at: iso(entry.createdAt),
    updated_at: iso(entry.updatedAt),
  };
}

export function toValidationDetail(view: ValidationView) {
  return {
    ...toValidationItem(view),
    attached_to: view.attachments.map((attachment) => toWireAttachment(attachment, view)),
  };
}

export function toWireAttachment(attachment: Attachment, { validation }: ValidationView) {
  const { attachmentId, scope, target, mode = modeOf(validation) } = attachment;
  return { attachment_id: attachmentId, validation: attachment.validation, mode, scope, target };
}
