import { describe } from "vitest";
import { dataTests } from "./task-store/data.ts";
import { feedTests } from "./task-store/feed.ts";
import { fencingTests } from "./task-store/fencing.ts";
import type { OpenTaskStore } from "./task-store/fixtures.ts";
import { inboxTests } from "./task-store/inbox.ts";
import { listingTests } from "./task-store/listing.ts";
import { logTests } from "./task-store/log.ts";
import { projectionTests } from "./task-store/projection.ts";
import { readingTests } from "./task-store/reading.ts";
import { removingTests } from "./task-store/removing.ts";
import { replayTests } from "./task-store/replay.ts";
import { sharedTests } from "./task-store/shared.ts";
import { watchingTests } from "./task-store/watching.ts";

/** What every `TaskStore` owes, sentence by sentence of the port. `open` gives an empty one. */
export function taskStoreSuite(open: OpenTaskStore): void {
  describe("TaskStore", () => {
    logTests(open);
    projectionTests(open);
    fencingTests(open);
    inboxTests(open);
    readingTests(open);
    listingTests(open);
    watchingTests(open);
    feedTests(open);
    dataTests(open);
    replayTests(open);
    removingTests(open);
    sharedTests(open);
  });
}
