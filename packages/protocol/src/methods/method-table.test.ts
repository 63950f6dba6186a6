import { expect, test } from "vitest";
import { errorCatalog } from "../errors/error-catalog.ts";
import type { MethodRow } from "./define-method.ts";
import { methods, resolveMethod } from "./method-table.ts";

const rows: readonly (readonly [string, MethodRow])[] = Object.entries(methods);

test("each row stands under its own name, and no spelling means two methods", () => {
  for (const [name, row] of rows) expect(row.name).toBe(name);
  const spellings = rows.flatMap(([name, row]) => [name, ...(row.aliases ?? [])]);
  expect(new Set(spellings).size).toBe(spellings.length);
});

test("each method names invalid parameters and the refusal of a caller without its scope", () => {
  for (const [name, row] of rows) {
    expect(row.errors, name).toContain("InvalidParams");
    expect(row.errors, name).toContain(row.family === "a2a" ? "PermissionDenied" : "Forbidden");
  }
});

test("a method names errors of its own family only", () => {
  for (const [name, row] of rows)
    for (const error of row.errors)
      expect(["any", row.family], `${name}: ${error}`).toContain(errorCatalog[error].family);
});

test("a name of the prototype is no method", () => {
  for (const name of ["toString", "constructor", "__proto__", "hasOwnProperty"])
    expect(resolveMethod(name)).toBeUndefined();
});

test("the documents' older names are answered by the same rows", () => {
  expect(resolveMethod("plan.create")).toBe("_cleveragents/plan/use");
  expect(resolveMethod("registry.list_tools")).toBe("_cleveragents/registry/tool/list");
});
