import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import type { JsonObject } from "@cleveragents/domain";
import { type ChaosPlace, pause } from "./chaos-place.ts";
import { checkDatabases } from "./checks/databases.ts";
import { checkFiles, checkNothingKept } from "./checks/files.ts";
import { checkLog } from "./checks/log.ts";
import { checkNoProcess } from "./checks/processes.ts";
import { checkProjection } from "./checks/projection.ts";
import { recordsIn, type TaskRecord } from "./task-record.ts";

/**
 * Lets owners finish what plans that are over have left to do, then lets the last one go. Answers what was wrong with
 * that: an owner that is asked to leave leaves by itself.
 */
export async function settle(place: ChaosPlace, patienceMs = 30_000): Promise<readonly string[]> {
  const deadline = performance.now() + patienceMs;
  for (;;) {
    const owner = await place.owned();
    while (owner.alive && !isSettled(place) && performance.now() < deadline) await pause(50);
    const { code, signal, forced } = await owner.leave();
    if (code === 0) return [];
    // Its kill has come after all, or it was told before it listened to signals; its successor has to do the rest.
    const untimely = signal === "SIGTERM" || (owner.killed && owner.kill !== undefined);
    if (forced || !untimely) return [`the owner left with ${code ?? signal}`];
  }
}

function isSettled(place: ChaosPlace): boolean {
  return filesIn(place, "sandboxes") + filesIn(place, "commands") === 0 && recordsOf(place).every(isCleaned);
}

/** A plan that is over and had a sandbox says so last of all. */
function isCleaned({ document }: TaskRecord): boolean {
  const sandbox = document["sandbox"];
  return typeof sandbox !== "object" || (sandbox as JsonObject)["disposed"] === true;
}

function filesIn(place: ChaosPlace, folder: string): number {
  const path = join(place.dataDir, folder);
  return existsSync(path) ? readdirSync(path).length : 0;
}

/** Every check that needs no model, of a place where all plans are over and no owner lives. */
export async function unsound(
  place: ChaosPlace,
  options: { readonly contested?: boolean } = {},
): Promise<readonly string[]> {
  return [
    ...recordsOf(place).flatMap((record) => [...checkLog(record), ...checkProjection(record)]),
    ...(await checkFiles(place.dataDir, place.repository.root)),
    ...(await checkNothingKept(place.dataDir, options)),
    ...(await checkNoProcess(place.dir)),
    ...checkDatabases(place.dataDir),
  ];
}

/**
 * What must hold at every moment, so also right after a death: whole databases, and logs that their projections follow.
 */
export function brokenAfterDeath(place: ChaosPlace): readonly string[] {
  const records = existsSync(join(place.dataDir, "store.db")) ? recordsOf(place) : [];
  return [
    ...records.flatMap((record) => [...checkLog(record), ...checkProjection(record)]),
    ...checkDatabases(place.dataDir),
  ];
}

/** What the store of a place holds; while no owner lives. */
export function recordsOf(place: ChaosPlace): readonly TaskRecord[] {
  return recordsIn(join(place.dataDir, "store.db"));
}

/** Throws if there are problems, with all of them, how the owners died and what they said. */
export function expectNone(place: ChaosPlace, problems: readonly string[]): void {
  if (problems.length === 0) return;
  const deaths = place.owners.map(
    ({ kill, killed }, n) =>
      `owner ${n + 1}: ${kill === undefined ? "left alone" : JSON.stringify(kill)}${killed ? ", killed" : ""}`,
  );
  const said = place.log().split("\n").slice(-40).join("\n");
  throw new Error([...problems.map((problem) => `- ${problem}`), ...deaths, said].join("\n"));
}
