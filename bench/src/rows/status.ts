import { mkdirSync, writeFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { compare, type Measurement } from "../library/measurement.ts";
import { median } from "../library/median.ts";
import { AGENTS, ownerIn, runNode, startServer, timeProgram } from "../library/programs.ts";
import { interleave } from "../library/rounds.ts";
import { scratch } from "../library/scratch.ts";
import { createRepository, TOUCH } from "../library/small-project.ts";

const STARTS = 8;

/** `agents plan status` of a data directory that a process owns already. */
export async function* statusAttachedRow(): AsyncGenerator<Measurement> {
  using place = scratch();
  await using _owner = await startServer("owner", place.path);
  const plan = makePlan(place.path);
  const pairs = await interleave(
    "status-attached",
    () => median(times(STARTS, () => status(plan, place.path))),
    () => bare(place.path),
  );
  yield compare(pairs, { name: "status-attached", unit: "ms", rivalName: "node -e 0", goal: "<= 2" });
}

/** The same where an owner has to be started first. */
export async function* statusSpawnedRow(): AsyncGenerator<Measurement> {
  using place = scratch();
  await using leaving = new AsyncDisposableStack();
  leaving.defer(() => endOwner(place.path));
  const plan = makePlan(place.path);
  const spawned = async () => {
    const taken: number[] = [];
    for (let i = 0; i < STARTS / 2; i++) {
      await endOwner(place.path);
      taken.push(status(plan, place.path));
    }
    return median(taken);
  };
  const pairs = await interleave("status-spawned", spawned, () => bare(place.path));
  yield compare(pairs, { name: "status-spawned", unit: "ms", rivalName: "node -e 0", goal: "<= 5" });
}

/** A plan that waits to be started. Starts an owner if none is there. */
function makePlan(home: string): string {
  const project = `${home}/project`;
  mkdirSync(project, { recursive: true });
  createRepository(project, home, 10);
  writeFileSync(`${home}/touch.yaml`, TOUCH);
  const agents = (...args: string[]) => runNode([AGENTS, ...args], home);
  agents("project", "create", "demo", "--path", project);
  agents("action", "add", `${home}/touch.yaml`);
  return agents(
    "plan",
    "use",
    "touch",
    "--project",
    "demo",
    "--automation-profile",
    "manual",
    "-o",
    "name",
  ).trim();
}

function status(plan: string, home: string): number {
  return timeProgram([AGENTS, "plan", "status", plan], home);
}

function bare(home: string): number {
  return median(times(STARTS, () => timeProgram(["-e", "0"], home)));
}

function times(count: number, measure: () => number): number[] {
  return Array.from({ length: count }, measure);
}

/** Ends the owner that the command has left running, and waits until it is gone. Told twice it would not tidy up. */
async function endOwner(home: string): Promise<void> {
  const pid = ownerIn(home);
  if (pid === undefined || !kill(pid, "SIGTERM")) return;
  while (kill(pid, 0)) await sleep(20);
}

function kill(pid: number, signal: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(pid, signal);
  } catch {
    return false;
  }
}
