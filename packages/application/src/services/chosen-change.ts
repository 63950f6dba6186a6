import {
  type ChosenChange,
  DigestMismatchError,
  type Plan,
  PlanStateError,
  summaryOf,
} from "@cleveragents/domain";
import { isHere } from "../plans/plan-document.ts";
import type { ChangesetStore, StoredChangeset } from "../ports/changeset-store.ts";
import type { ComparedTrees, Workspace } from "../ports/workspace.ts";

/** Which part of a plan's changes is meant, and whether it is merged with what the user has done since. */
export interface Selection {
  readonly only?: readonly string[] | undefined;
  readonly exclude?: readonly string[] | undefined;
  readonly rebase?: boolean | undefined;
}

interface Deps {
  readonly workspace: Workspace;
  readonly changesets: ChangesetStore;
  readonly host?: string | undefined;
}

export interface Choice {
  readonly chosen: ChosenChange;
  readonly stored: StoredChangeset;
}

/** Whether a selection asks for anything but the changeset that is offered. */
export function selects({ only = [], exclude = [], rebase }: Selection): boolean {
  return only.length > 0 || exclude.length > 0 || rebase === true;
}

/** Makes the change that a selection means, and stores it under its digest. Nothing of the project is written. */
export async function chooseChange(
  deps: Deps,
  plan: Plan,
  selection: Selection,
  branch?: string | undefined,
): Promise<Choice> {
  const { planId, project, changeset, sandbox } = plan;
  const refuse = (why: string) => new PlanStateError(planId, plan.stage, why);
  if (plan.reverses !== undefined)
    throw refuse("undoing is all or nothing; it takes neither a part nor a branch");
  if (changeset === undefined || sandbox === undefined || sandbox.disposed === true)
    throw refuse("it has no changes to choose from");
  if (!isHere(plan, deps.host))
    throw refuse("its files are on another host; ask there for a part of its changes");
  const opened = await deps.workspace.open(planId, project.path, sandbox);
  const { only = [], exclude = [], rebase = false } = selection;
  const selected = await deps.workspace.select(opened, {
    planId,
    digest: changeset.digest,
    only,
    exclude,
    rebase,
  });
  const stored = await keep(deps, selected);
  const { leftOut, merged } = selected;
  if (leftOut !== undefined) await keep(deps, leftOut);
  return {
    stored,
    chosen: {
      digest: selected.digest,
      from: selected.from,
      to: selected.to,
      summary: summaryOf(selected.changeset),
      merged,
      ...(leftOut === undefined
        ? {}
        : { leftOut: { digest: leftOut.digest, paths: leftOut.changeset.files.map((file) => file.path) } }),
      ...(branch === undefined ? {} : { branch }),
    },
  };
}

/** Throws unless exactly this part was looked at: a selection is approved by its own digest alone. */
export function assertSeen(planId: string, given: string | undefined, { chosen }: Choice): void {
  if (given !== chosen.digest) throw new DigestMismatchError(planId, given ?? "none", chosen.digest);
}

async function keep({ changesets }: Deps, compared: ComparedTrees): Promise<StoredChangeset> {
  const stored = {
    digest: compared.digest,
    changeset: compared.changeset,
    patch: await compared.patch(),
  };
  await changesets.put(stored);
  return stored;
}
