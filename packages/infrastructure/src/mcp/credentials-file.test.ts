import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { CredentialsFile } from "./credentials-file.ts";

const logger = { debug() {}, info() {}, warn() {}, error() {} };
let directory: string;
beforeAll(() => {
  directory = mkdtempSync(join(tmpdir(), "mcp-credentials-"));
});
afterAll(() => rmSync(directory, { recursive: true, force: true }));

test("what cannot be read is as good as nothing for a call, and is not written over by a login", async () => {
  const file = join(directory, "mcp-credentials.json");
  writeFileSync(file, '{ "local/a": { "url": "https://a.example", "tok');
  const credentials = new CredentialsFile({ file, logger });
  expect(await credentials.find("local/a", "https://a.example")).toBeUndefined();
  const change = credentials.change("local/b", "https://b.example", (known) => known);
  await expect(change).rejects.toThrow(
    /^the credentials of MCP servers cannot be read: their file is no JSON$/,
  );
  await expect(credentials.forget("local/a")).rejects.toThrow();
  expect(readFileSync(file, "utf8")).toContain("local/a");
});

test("credentials of several servers stand beside each other", async () => {
  const credentials = new CredentialsFile({ file: join(directory, "several.json"), logger });
  await Promise.all(
    ["a", "b"].map((name) => credentials.change(name, `https://${name}.example`, (known) => known)),
  );
  expect(await credentials.find("a", "https://a.example")).toEqual({ url: "https://a.example" });
  expect(await credentials.find("b", "https://elsewhere.example")).toBeUndefined();
  expect(await credentials.forget("a")).toBe(true);
  expect(await credentials.find("b", "https://b.example")).toEqual({ url: "https://b.example" });
});

test("what keeps the file from being written is told without its place", async () => {
  const file = join(directory, "a-file");
  writeFileSync(file, "");
  const credentials = new CredentialsFile({ file: join(file, "mcp-credentials.json"), logger });
  const change = credentials.change("a", "https://a.example", (known) => known);
  await expect(change).rejects.toThrow(
    /^the credentials of MCP servers cannot be (read|written) \(ENOTDIR\)$/,
  );
});
