import type { Migration } from "kysely/migration";
import { stores } from "./0001-stores.ts";
import { postgresCommit } from "./0002-postgres-commit.ts";
import { apiKeys } from "./0003-api-keys.ts";
import { countsByState } from "./0004-counts-by-state.ts";
import { push } from "./0005-push.ts";
import { eventPositions } from "./0006-event-positions.ts";
import { noOutbox } from "./0007-no-outbox.ts";
import { keyTenants } from "./0008-key-tenants.ts";
import { sessionStates } from "./0009-session-states.ts";
import { sharedDocuments } from "./0010-shared-documents.ts";
import { graphCheckpoints } from "./0011-graph-checkpoints.ts";

/**
 * One migration per version of the schema, in order, for every dialect; version n is what the first n of them leave.
 * What only one dialect needs does nothing in the others. A migration that was released is never edited: a correction
 * is the next one.
 */
export const migrations: Readonly<Record<string, Migration>> = {
  "0001-stores": stores,
  "0002-postgres-commit": postgresCommit,
  "0003-api-keys": apiKeys,
  "0004-counts-by-state": countsByState,
  "0005-push": push,
  "0006-event-positions": eventPositions,
  "0007-no-outbox": noOutbox,
  "0008-key-tenants": keyTenants,
  "0009-session-states": sessionStates,
  "0010-shared-documents": sharedDocuments,
  "0011-graph-checkpoints": graphCheckpoints,
};
