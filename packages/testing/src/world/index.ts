export { ACTIONS, type ActionName, BINARY } from "./actions.ts";
export {
  atRest,
  eventOf,
  followUntil,
  type Item,
  logOf,
  type PlanStatus,
  seen,
  stateOf,
} from "./following.ts";
export { createRepository, PROJECT_FILES, type Repository, sha256, treeOf } from "./repository.ts";
export {
  type LogEntry,
  type OpenServer,
  type OpenWorld,
  openWorld,
  type ServerOptions,
  type ServerUnderTest,
  stranger,
  toGate,
  use,
  type World,
} from "./world.ts";
