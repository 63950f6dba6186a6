import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Sandbox } from "@cleveragents/application";
import { SystemClock } from "@cleveragents/infrastructure/clock";
import { GitWorkspace } from "@cleveragents/infrastructure/git";
import { compare, type Measurement } from "../library/measurement.ts";
import { environmentIn } from "../library/programs.ts";
import { interleave, progress, timed } from "../library/rounds.ts";
import { scratch } from "../library/scratch.ts";
import { scaled, scaleNote } from "../library/settings.ts";
import { silentLogger } from "../library/silent-logger.ts";
import { createRepository, git } from "../library/small-project.ts";

const CHANGED = 20;

/** A sandbox of a project that had one before, and of one that is new to the data directory. */
export async function* sandboxCreateRow(): AsyncGenerator<Measurement> {
  using bed = makeBed();
  let round = 0;
  const worktree = async () => {
    const took = await timed(() => bed.addWorktree(`worktree-${++round}`));
    bed.removeWorktree(`worktree-${round}`);
    return took;
  };
  const warm = bed.workspace("warm");
  const again = () => madeIn(warm, bed.project, `plan-${++round}`);
  const rivalName = "git worktree add";
  const known = await interleave("sandbox-create", again, worktree);
  yield compare(known, {
    name: "sandbox-create",
    unit: "ms/20,000 files",
    rivalName,
    goal: "<= 1.5",
    note: scaleNote(),
  });

  const fresh = () => madeIn(bed.workspace(`fresh-${++round}`), bed.project, "plan");
  const first = await interleave("sandbox-create-first", fresh, worktree);
  yield compare(first, {
    name: "sandbox-create-first",
    unit: "ms/20,000 files",
    rivalName,
    goal: "<= 1.5",
    note: scaleNote(),
  });
}

/** What a sandbox has changed, found anew each time: a snapshot and its comparison with the base. */
export async function* sandboxDiffRow(): AsyncGenerator<Measurement> {
  using bed = makeBed();
  bed.addWorktree("worktree");
  const worktree = bed.place("worktree");
  await using stack = new AsyncDisposableStack();
  const sandbox = await bed.workspace("data").create("plan", bed.project, new AbortController().signal);
  stack.defer(() => sandbox.dispose());
  let round = 0;
  const change = (root: string) => {
    round++;
    for (let n = 0; n < CHANGED; n++)
      writeFileSync(join(root, `folder-${n}`, `file-${n * 100}.txt`), `changed in ${round}\n`);
    writeFileSync(join(root, "new.txt"), `${round}\n`);
  };
  const ours = async () => {
    change(sandbox.root);
    return await timed(() => found(sandbox));
  };
  const rival = async () => {
    change(worktree);
    return await timed(() => git(worktree, bed.home, "status", "--porcelain"));
  };
  const pairs = await interleave("sandbox-diff", ours, rival, { warmUp: 2 });
  yield compare(pairs, {
    name: "sandbox-diff",
    unit: "ms/20,000 files, 21 changed",
    rivalName: "git status",
    goal: "<= 3",
    note: scaleNote(),
  });
}

async function found(sandbox: Sandbox): Promise<void> {
  const { changeset } = await sandbox.compare();
  if (changeset.files.length !== CHANGED + 1) throw new Error(`${changeset.files.length} files are changed`);
}

async function madeIn(workspace: GitWorkspace, project: string, plan: string): Promise<number> {
  let sandbox: Sandbox | undefined;
  const took = await timed(async () => {
    sandbox = await workspace.create(plan, project, new AbortController().signal);
  });
  await sandbox?.dispose();
  return took;
}

/** A repository of 20,000 files, and room for what is made of it. */
function makeBed() {
  const place = scratch();
  const home = place.path;
  const project = place.join("project");
  progress("sandbox: making the repository");
  mkdirSync(project);
  createRepository(project, home, scaled(20_000));
  return {
    home,
    project,
    place: (name: string) => place.join(name),
    workspace: (dataDir: string) =>
      new GitWorkspace({
        dataDir: place.join(dataDir),
        logger: silentLogger,
        env: environmentIn(home),
        clock: new SystemClock(),
      }),
    addWorktree: (name: string) =>
      git(project, home, "worktree", "add", "--quiet", "--detach", place.join(name)),
    removeWorktree(name: string) {
      rmSync(place.join(name), { recursive: true });
      git(project, home, "worktree", "prune");
    },
    [Symbol.dispose]: () => place[Symbol.dispose](),
  };
}
