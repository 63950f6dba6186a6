import { join } from "node:path";
import type { ComparedTrees, Sandbox, Workspace } from "@cleveragents/application";

/** A workspace and a project for it, which holds `a.txt` ("one\ntwo\nthree\n"), `bin/run.sh` (755) and `dir/b.txt` ("b\n"). */
export interface WorkspaceHarness extends AsyncDisposable {
  readonly workspace: Workspace;
  /** Real path of the project. */
  readonly project: string;
  /** Another instance over the same data, as after a restart. */
  restarted(): Workspace;
}

export type OpenWorkspace = () => Promise<WorkspaceHarness>;

export const PLAN = "01JWORKSPACE0000000000PLAN";
export const never: AbortSignal = new AbortController().signal;

/** A harness with a sandbox for {@link PLAN}. */
export async function opened(open: OpenWorkspace) {
  const harness = await open();
  const sandbox = await harness.workspace.create(PLAN, harness.project, never);
  const inSandbox = (path: string) => join(sandbox.root, path);
  const inProject = (path: string) => join(harness.project, path);
  const applied = async (change: ComparedTrees, planId = PLAN) =>
    await harness.workspace.apply(
      { projectRoot: harness.project, baseTree: change.from },
      { planId, digest: change.digest, toTree: change.to },
    );
  const apply = async () => applied(await sandbox.compare());
  return {
    ...harness,
    sandbox,
    inSandbox,
    inProject,
    apply,
    applied,
    [Symbol.asyncDispose]: () => harness[Symbol.asyncDispose](),
  };
}

export async function changesOf(sandbox: Sandbox): Promise<string[]> {
  return (await sandbox.compare()).changeset.files.map((file) => `${file.op} ${file.path}`);
}
