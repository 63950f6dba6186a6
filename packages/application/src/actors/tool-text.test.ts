import { expect, test } from "vitest";
import { outcomeText } from "./tool-text.ts";

test("what a model is told of a command is the same however long it took, and says nothing of what was empty", () => {
  const told = (durationMs: number) =>
    outcomeText(
      {
        ok: true,
        result: { summary: "", value: { exitCode: 0, stdout: "a\nb\n", stderr: "", durationMs } },
      } as never,
      1000,
    );
  expect(told(5)).toEqual({ text: "exitCode: 0\nstdout:\na\nb" });
  expect(told(7)).toEqual(told(5));
});
