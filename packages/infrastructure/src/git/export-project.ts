import { copyFile, writeFile } from "node:fs/promises";
import { join, relative } from "node:path";
import {
  type FailPoint,
  type Logger,
  type TellProgress,
  WITH_FAIL_POINTS,
  WorkspaceError,
} from "@cleveragents/application";
import type { Environment, GitCommand } from "./git-command.ts";
import type { SandboxPlace } from "./git-sandbox.ts";
import { withIndex } from "./index-file.ts";
import {
  escapePattern,
  LEFT_OUT_PATTERNS,
  leftOutNote,
  listFolder,
  listRepository,
  type ProjectFiles,
} from "./project-files.ts";
import { isInside } from "./project-paths.ts";
import { type FoundProject, inspectionOf, ownIgnoreRules } from "./project-probe.ts";
import type { ProjectStore } from "./project-store.ts";
import { assertRoom } from "./room-for-sandbox.ts";
import type { SandboxRef } from "./sandbox-ref.ts";
import { noteRepository } from "./throwaway-note.ts";
import { classifyPaths } from "./tree-walk.ts";
import type { WorkspaceLeftovers } from "./workspace-leftovers.ts";

interface Deps {
  readonly git: GitCommand;
  readonly env: Environment;
  readonly logger: Logger;
  readonly sandboxQuota?: number | undefined;
  readonly failPoint?: FailPoint | undefined;
}

interface Making {
  readonly planId: string;
  readonly project: FoundProject;
  readonly store: ProjectStore;
  readonly dataDir: string;
  readonly place: SandboxPlace;
  readonly leftovers: Pick<WorkspaceLeftovers, "beginMaking">;
  readonly signal: AbortSignal;
  readonly progress: TellProgress;
}

/** Records a project as it is now, and writes what was recorded to the place of a sandbox that is being made. */
export async function exportProject(
  deps: Deps,
  making: Making,
): Promise<{ readonly kind: "git" | "plain"; readonly ref: SandboxRef }> {
  const { planId, project, store, dataDir, place, leftovers, signal, progress } = making;
  const { root } = project;
  const leaveOut = isInside(root, dataDir) ? relative(root, dataDir) : null;
  const [files, rules] = await Promise.all([
    filesOf(deps, project, leaveOut),
    ignoreRules(deps, project, leaveOut),
  ]);
  const inspection = await inspectionOf(deps.git, project, async () => files.submodules);
  const { present, special, bytes } = await classifyPaths(root, files.paths);
  const size = { files: present.length, bytes };
  await assertRoom({ dataDir, quota: deps.sandboxQuota }, size);
  signal.throwIfAborted();
  progress({ stage: "recording", ...size });
  await leftovers.beginMaking(store, planId);
  const baseTree = await keepBase(deps, making, { ...files, paths: present }).finally(() =>
    store.collection.made(planId),
  );
  if (WITH_FAIL_POINTS) deps.failPoint?.("workspace.create.recorded");
  progress({ stage: "copying", ...size });
  await writeFile(place.ignore, rules);
  await noteRepository(place.directory, inspection);
  await withIndex(place.index, (index) => store.checkOut(place.tree, index, signal), true);
  const warnings = [...inspection.warnings, ...files.warnings, ...special.map(leftOutNote)];
  return { kind: inspection.kind, ref: { baseTree, nested: files.nested, warnings } };
}

async function keepBase(deps: Deps, making: Making, files: ProjectFiles): Promise<string> {
  const { planId, project, store } = making;
  const { repository } = project;
  if (repository?.format === "sha1") await store.borrow(join(repository.commonDir, "objects"), files.tracked);
  const baseTree = await recordProject(deps, making, files.paths, files.tracked.size);
  await store.keep(planId, "base", baseTree);
  return baseTree;
}

async function filesOf(
  { git }: Deps,
  { root, repository }: FoundProject,
  leaveOut: string | null,
): Promise<ProjectFiles> {
  return repository === undefined
    ? await listFolder(root, leaveOut)
    : await listRepository(git, repository, leaveOut);
}

/**
 * The project's tree as it is now, and an index of it for the sandbox. What was learnt last time spares reading
 * unchanged files again.
 */
async function recordProject(
  { logger }: Deps,
  { project: { root }, store, place, signal }: Making,
  paths: readonly string[],
  held: number,
): Promise<string> {
  const record = (found: readonly string[]) =>
    withIndex(store.projectIndex, async (index) => {
      const tree = await store.recordExactly(root, index, found, held, signal);
      // This one, since another plan may put its own in place at any time.
      await copyFile(index, place.index);
      return tree;
    });
  let tree: string;
  try {
    tree = await record(paths);
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof WorkspaceError && error.reason !== "GIT_FAILED") throw error;
    // The remembered index may name contents that were collected, or a file vanished while we read.
    logger.debug({ error: String(error) }, "reading the whole project again");
    await store.forget();
    tree = await record((await classifyPaths(root, paths)).present);
  }
  await store.rememberProject(tree);
  return tree;
}

async function ignoreRules(
  { git, env }: Deps,
  { repository }: FoundProject,
  leaveOut: string | null,
): Promise<string> {
  const own = leaveOut === null ? "" : `/${escapePattern(leaveOut)}/\n`;
  if (repository === undefined) return `${LEFT_OUT_PATTERNS.join("\n")}\n${own}`;
  return (await ownIgnoreRules(git, repository, env["HOME"], env["XDG_CONFIG_HOME"])) + own;
}
