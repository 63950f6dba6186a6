import { expect, test } from "vitest";
import { exposedToolName } from "./exposed-names.ts";
import { backOffMs, canBecome } from "./life-cycle.ts";
import { listingChanges, type McpTool } from "./mcp-listing.ts";
import { McpServerSchema } from "./mcp-server-schema.ts";
import { fitsToolPattern, isOffered } from "./tool-filter.ts";

const NAMES: readonly [string, string][] = [
  ["local/fs", "read_file"],
  ["local/fs", "fs.read"],
  ["local/fs", "a/b"],
  ["local/fs", "données"],
  ["local/fs", "x".repeat(90)],
  ["local/fs", "search-a"],
  ["local/fs", "search_a"],
  ["local/other", "search_a"],
  ["team/fs", "search_a"],
  ["local/fs", "line\nbreak"],
  ["local/a", "b__c"],
  ["local/a__b", "c"],
  ["local/a_", "_b"],
  ["local/a", "__b"],
  ["local/fs", "工具"],
  ["local/fs", "read_file_0123456789"],
];

test("names of tools are ones that every provider takes, and no two are the same", () => {
  const exposed = NAMES.map(([server, tool]) => exposedToolName(server, tool));
  for (const name of exposed) expect(name).toMatch(/^[A-Za-z0-9_-]{1,59}$/);
  expect(new Set(exposed).size).toBe(NAMES.length);
  expect(exposed[0]).toBe("fs__read_file");
  expect(exposed[5]).toBe("fs__search-a");
});

test("a server is on stdio unless it has a url, in whichever spelling of the transport", () => {
  expect(McpServerSchema.parse({ name: "fs", command: "x" })).toMatchObject({
    transport: "stdio",
    sandbox: "plan",
  });
  const url = "https://example.com/mcp";
  for (const transport of [undefined, "http", "streamable-http", "streamable_http", "streamableHttp"])
    expect(McpServerSchema.parse({ name: "web", url, ...(transport && { transport }) })).toMatchObject({
      transport: "http",
      sandbox: "none",
    });
});

test("a checked document is a document", () => {
  const checked = McpServerSchema.parse({ name: "fs", command: "x", env: { N: 1 }, timeouts: { start: 5 } });
  expect(McpServerSchema.parse(checked)).toEqual(checked);
});

test.each([
  [{ name: "a" }, "a server on stdio needs a command"],
  [{ name: "a", transport: "sse" }, "a server over HTTP needs a url"],
  [{ name: "a", url: "https://x.y", command: "x" }, "has no meaning for a server over HTTP"],
  [{ name: "a", command: "x", headers: { A: "b" } }, "has no meaning for a server on stdio"],
  [{ name: "a", url: "https://x.y", sandbox: "plan" }, "cannot be in a plan's sandbox"],
  [{ name: "a", command: "x", rewrite_paths: true }, "sees the project's own paths"],
  [{ name: "a", command: "x", timeouts: { call: 700 } }, "`total` is shorter than `call`"],
  [{ name: "a", command: "x", wrong: 1 }, "wrong"],
  [{ name: "a", url: "https://x.y", headers: { A: "b\r\nC: d" } }, "a value without line breaks"],
])("%j is no server", (document, message) => {
  const result = McpServerSchema.safeParse(document);
  expect(result.error?.issues.map((issue) => issue.message).join("; ")).toContain(message);
});

test("tools are offered that are included and not excluded", () => {
  expect(fitsToolPattern("read_*_file", "read_my_file")).toBe(true);
  expect(fitsToolPattern("a*a", "a")).toBe(false);
  expect(fitsToolPattern("*", "")).toBe(true);
  expect(isOffered("write_file", { include: [], exclude: ["write_*"] })).toBe(false);
  expect(isOffered("write_file", { include: ["read_*"], exclude: [] })).toBe(false);
  expect(isOffered("read_file", { include: ["read_*"], exclude: ["*_dir"] })).toBe(true);
});

test("a server that failed starts again, one that stops does not run on, and it is waited longer each time", () => {
  expect(canBecome("ERROR", "STARTING")).toBe(true);
  expect(canBecome("STARTING", "STOPPING")).toBe(true);
  expect(canBecome("STOPPING", "RUNNING")).toBe(false);
  expect([0, 1, 2, 3, 20].map(backOffMs)).toEqual([0, 500, 1000, 2000, 30_000]);
});

test("what another list of tools has changed is told by name", () => {
  const tool = (name: string, description = ""): McpTool => ({
    name,
    description,
    inputSchema: { type: "object" },
    hints: {},
  });
  expect(listingChanges([tool("a"), tool("b")], [tool("b", "new"), tool("c")])).toEqual({
    added: ["c"],
    removed: ["a"],
    changed: ["b"],
  });
});
