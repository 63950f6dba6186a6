export { ChaosPlace, type ChaosPlaceOptions, type Kills, pause } from "./chaos-place.ts";
export { checkDatabases } from "./checks/databases.ts";
export { checkFiles, checkNothingKept } from "./checks/files.ts";
export { checkLog } from "./checks/log.ts";
export { checkOutcome, checkTries, type Outcome, outcomeOf } from "./checks/outcome.ts";
export { checkNoProcess } from "./checks/processes.ts";
export { checkProjection, foldArtifacts } from "./checks/projection.ts";
export { checkOldOrNew, checkUntouched, type Picture, pictureOf } from "./checks/repository.ts";
export { Hand, isOver, type PlanStatus } from "./hand.ts";
export {
  type Death,
  type Kill,
  OwnerProcess,
  type OwnerProcessOptions,
  type Program,
} from "./owner-process.ts";
export { type FoundProcess, processesMarked } from "./processes.ts";
export { type Random, randomOf } from "./random.ts";
export { brokenAfterDeath, expectNone, recordsOf, settle, unsound } from "./sound.ts";
export { recordOf, recordsIn, type TaskRecord } from "./task-record.ts";
export { type SeedOptions, seedsOf, withSeed } from "./with-seed.ts";
