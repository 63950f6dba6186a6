import { expect, test } from "vitest";
import { McpWorld } from "./mcp-fixtures.ts";

test.each([
  ["500-tools", 500, undefined],
  ["same-cursor", 8, "its pages lead back to one that was read already"],
  ["empty-cursor", 3, undefined],
  ["empty-cursor-leads", 2, undefined],
  ["page-error", 100, "page 3 of its tools could not be read: MCP error -32603: the third page is missing"],
  ["endless-pages", 64, "it lists without end; the list was cut after 64 pages and 64 tools"],
])("pages are followed to their end and no further: %s", async (mode, count, warning) => {
  await using world = new McpWorld();
  const { listing } = await world.discover(world.hostile(mode));
  expect(listing.tools).toHaveLength(count);
  expect(new Set(listing.tools.map(({ name }) => name)).size).toBe(count);
  expect(listing.warnings).toEqual(
    warning === undefined ? [] : [expect.stringContaining(warning.slice(-20))],
  );
});

test("a tool that nobody can use is lost alone, and it is said why", async () => {
  await using world = new McpWorld();
  const { listing } = await world.discover(world.hostile("bad-shapes"));
  expect(listing.tools.map(({ name }) => name)).toEqual(["ok", "spaces & ünïcode / dots.x\n"]);
  expect(listing.refused.map(({ name }) => name)).toEqual([
    "no-schema",
    "array",
    "dangling",
    "task-only",
    "",
    "(no name)",
  ]);
  expect(listing.refused.every(({ why }) => why !== "")).toBe(true);
});
