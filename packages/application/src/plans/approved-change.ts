import type { Plan } from "@cleveragents/domain";
import { type ApplyRequest, type ApplyTarget, type Workspace, WorkspaceError } from "../ports/workspace.ts";

/** What a plan writes when it is applied, and to what. */
export interface ApprovedChange {
  readonly target: ApplyTarget;
  readonly request: ApplyRequest;
}

/** The change that was approved: a chosen one, the inverse of another plan's, or all that the sandbox holds. */
export async function approvedChange(
  workspace: Pick<Workspace, "open" | "undo">,
  plan: Plan,
): Promise<ApprovedChange> {
  const { planId, project, chosen, reverses, changeset, sandbox } = plan;
  if (changeset === undefined) throw new Error("a plan is applied without a changeset");
  const projectRoot = project.path;
  if (reverses !== undefined) {
    const undo = await workspace.undo(reverses.planId, projectRoot);
    if (undo === undefined)
      throw new WorkspaceError("SANDBOX_GONE", "what undoes that plan is not kept any more");
    const target = { projectRoot, baseTree: undo.from };
    return { target, request: { planId, digest: changeset.digest, toTree: undo.to } };
  }
  if (sandbox === undefined) throw new Error("a plan is applied without a sandbox");
  const opened = await workspace.open(planId, projectRoot, sandbox);
  if (chosen === undefined) {
    const { to } = await opened.compare();
    return { target: opened, request: { planId, digest: changeset.digest, toTree: to } };
  }
  const { digest, from, to, branch } = chosen;
  return {
    target: { projectRoot: opened.projectRoot, baseTree: from },
    request: { planId, digest, toTree: to, ...(branch === undefined ? {} : { branch }) },
  };
}
