import { test } from "vitest";
import { mainJob } from "./main-job.ts";

test.each(["stdio", "http"] as const)("the main job, by the command line over %s", mainJob);
