import { expect, test } from "vitest";
import { z } from "zod";
import { paramsError } from "./violations.ts";

const told = (schema: z.ZodType, value: unknown) =>
  paramsError(z.object({ field: schema }).safeParse({ field: value }).error as z.ZodError).message;

test.each([
  [z.number().min(1), 0, "must be at least 1"],
  [z.int().max(100), 101, "must be at most 100"],
  [z.number().positive(), 0, "must be more than 0"],
  [z.string().min(2), "x", "must have at least 2 characters"],
  [z.string().max(3), "long", "must have at most 3 characters"],
  [z.array(z.string()).min(1), [], "must have at least 1 elements"],
])("a bound that is not kept to is told in the words of what it bounds: %#", (schema, value, words) => {
  expect(told(schema, value)).toBe(`Invalid parameters: field: ${words}`);
});
