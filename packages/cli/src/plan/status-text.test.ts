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

test("what an attempt was found to be that was taken back is not shown of the next one", () => {
  const tests = {
    validation: "local/tests",
    mode: "required" as const,
    checkable: true,
    attachment_id: "a",
    attachment_scope: "plan" as const,
    attempt: 1,
  };
  const checked = { ...tests, passed: false, message: "`npm test` ended with exit code 1" };
  const { digest, ...status } = STATUS as PlanStatus & { readonly digest?: string };
  const shown = (more: object) =>
    statusText({ ...status, validations: [checked], ...more } as PlanStatus, page);
  expect(shown({ attempt: 1 })).toContain("✗ local/tests: `npm test` ended with exit code 1\n");
  expect(shown({ attempt: 2, digest: digest ?? "sha256:1" })).toContain("✗ local/tests: `npm test`");
  expect(shown({ attempt: 2 })).toMatch(/Checks:\s+· local\/tests\n/);
});
