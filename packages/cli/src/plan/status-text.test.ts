import { expect, test } from "vitest";
import { PLAIN } from "../output/paint.ts";
import { STATUS } from "../testing/samples.ts";
import type { PlanStatus } from "./ask-text.ts";
import { statusText } from "./status-text.ts";

const page = { paint: PLAIN, columns: undefined, now: 0 };

test("why commands are not isolated stands among the warnings", () => {
  const execution: PlanStatus["execution"] = {
    sandbox: "git",
    tool_calls: 4,
    checkpoints: 2,
    enforcement: "none",
    enforcement_reason: "bubblewrap is not installed",
    warnings: ["shallow clone"],
  };
  const text = statusText({ ...(STATUS as PlanStatus), execution }, page);
  expect(text).toMatch(/isolation none, /);
  expect(text).toMatch(/Warnings:\s+isolation none: bubblewrap is not installed\n\s+shallow clone/);
});
