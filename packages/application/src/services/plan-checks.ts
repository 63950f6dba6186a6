import {
  type Action,
  type Check,
  type CheckMode,
  type CheckScope,
  canonicalName,
  checkFrom,
  checksOfDone,
  EntryNotFoundError,
  type Invariant,
  type InvariantDocument,
  inCheckOrder,
  invariantFrom,
  type ValidationDocument,
} from "@cleveragents/domain";
import type { RegistryStore } from "../ports/registry-store.ts";

/** That a validation is for all plans of a project or an action. */
export interface Attachment {
  readonly attachmentId: string;
  /** Full name. */
  readonly validation: string;
  readonly scope: Extract<CheckScope, "project" | "action">;
  readonly target: string;
  /** Another mode than the validation's own. */
  readonly mode?: CheckMode;
}

/** A registered validation. Throws `EntryNotFoundError`, which lists what there is. */
export async function findValidation(registry: RegistryStore, name: string): Promise<ValidationDocument> {
  const full = canonicalName(name);
  const entry = await registry.find("validation", full);
  if (entry === undefined)
    throw new EntryNotFoundError(
      "validation",
      full,
      (await registry.list("validation")).map((known) => known.name),
    );
  return entry.document as unknown as ValidationDocument; // checked when it was registered
}

export async function attachmentsOf(
  registry: Pick<RegistryStore, "list">,
  wanted: (attachment: Attachment) => boolean,
): Promise<readonly Attachment[]> {
  const entries = await registry.list("attachment");
  return entries.map(({ document }) => document as unknown as Attachment).filter(wanted);
}

/**
 * Everything that a new plan is checked by, as it is now: what is attached to its project and its action, what the action
 * and the request name, and when the action says that it is done. A validation that is there twice is run once.
 */
export async function checksFor(
  registry: RegistryStore,
  of: {
    readonly planId: string;
    readonly action: Action;
    readonly project: string;
    readonly validations?: readonly string[] | undefined;
  },
): Promise<readonly Check[]> {
  const { planId, action, project, validations = [] } = of;
  const attached = await attachmentsOf(
    registry,
    ({ scope, target }) => target === (scope === "project" ? project : action.name),
  );
  const checks: Check[] = [];
  for (const { attachmentId: id, validation, scope, target, mode } of attached)
    checks.push(checkFrom(await findValidation(registry, validation), { id, scope, target, mode }));
  for (const name of action.validations ?? []) {
    const id = `action:${canonicalName(name)}`;
    checks.push(
      checkFrom(await findValidation(registry, name), { id, scope: "action", target: action.name }),
    );
  }
  for (const name of validations) {
    const id = `plan:${canonicalName(name)}`;
    checks.push(checkFrom(await findValidation(registry, name), { id, scope: "plan", target: planId }));
  }
  return inCheckOrder([
    ...once(checks),
    ...checksOfDone(action.definition_of_done, action.name),
    ...reviewOf(action),
  ]);
}

function reviewOf({ review_actor, review_mode = "informational", name }: Action): readonly Check[] {
  if (review_actor === undefined) return [];
  const text = `${review_actor} looks at the changes`;
  return [
    {
      id: "review",
      kind: "review",
      name: "review",
      text,
      mode: review_mode,
      scope: "action",
      target: name,
      judge: "review",
    },
  ];
}

/** Of one name the first, required if any of them is. */
function once(checks: readonly Check[]): readonly Check[] {
  const kept = new Map<string, Check>();
  for (const check of inCheckOrder(checks)) {
    const there = kept.get(check.name);
    if (there === undefined) kept.set(check.name, check);
    else if (check.mode === "required") kept.set(check.name, { ...there, mode: "required" });
  }
  return [...kept.values()];
}

/** What the action and the request say that the plan is to keep to. */
export function declaredInvariants(
  action: Pick<Action, "name" | "invariants">,
  planId: string,
  asked: readonly InvariantDocument[] = [],
): readonly Invariant[] {
  return [
    ...action.invariants.map((document, n) =>
      invariantFrom(document, { id: `inv_action_${n + 1}`, scope: "action", source: action.name }),
    ),
    ...asked.map((document, n) =>
      invariantFrom(document, { id: `inv_plan_${n + 1}`, scope: "plan", source: planId }),
    ),
  ];
}
