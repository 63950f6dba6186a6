import { appendRow } from "./append.ts";
import { chunksLinearRow } from "./chunks-linear.ts";
import { firstPageRow } from "./first-page.ts";
import { getTaskCpuRow, getTaskFloorRow, getTaskRow } from "./get-task.ts";
import { helpStartRow } from "./help-start.ts";
import { memoryRow } from "./memory.ts";
import { replayRow } from "./replay.ts";
import type { Row } from "./row.ts";
import { sandboxCreateRow, sandboxDiffRow } from "./sandbox.ts";
import { sendMessageFloorRow, sendMessageRow } from "./send-message.ts";
import { statusAttachedRow, statusSpawnedRow } from "./status.ts";
import { streamFloorRow, streamRow } from "./stream-1000.ts";
import { subscribersRow } from "./subscribers.ts";

/** What can be measured, by the name that `main.ts` takes. */
export const rows: ReadonlyMap<string, Row> = new Map<string, Row>([
  ["get-task", getTaskRow],
  ["get-task-floor", getTaskFloorRow],
  ["get-task-cpu", getTaskCpuRow],
  ["send-message", sendMessageRow],
  ["send-message-floor", sendMessageFloorRow],
  ["stream-1000", streamRow],
  ["stream-1000-floor", streamFloorRow],
  ["chunks-linear", chunksLinearRow],
  ["subscribers", subscribersRow],
  ["append", appendRow],
  ["replay", replayRow],
  ["help-start", helpStartRow],
  ["status-attached", statusAttachedRow],
  ["status-spawned", statusSpawnedRow],
  ["first-page", firstPageRow],
  ["sandbox-create", sandboxCreateRow],
  ["sandbox-diff", sandboxDiffRow],
  ["memory", memoryRow],
]);
