import { test } from "vitest";
import { mainJob } from "./main-job.ts";

test("the main job, by the command line over stdio", () => mainJob("stdio"));
