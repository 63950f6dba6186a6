import { test } from "vitest";
import { mainJob } from "./main-job.ts";

// Over stdio in main-job.soak.ts.
test.each(["socket", "http"] as const)(
  "the main job, by the command line over %s",
  { timeout: 120_000 },
  mainJob,
);
