import { test } from "vitest";
import { mainJob } from "./main-job.ts";

// Over stdio and HTTP in main-job.soak.ts.
test("the main job, by the command line over socket", { timeout: 120_000 }, () => mainJob("socket"));
