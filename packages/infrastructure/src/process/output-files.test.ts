import {
  existsSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { OutputFiles } from "./output-files.ts";

let folder: string;
let now = Date.now();
const files = (quota = 1_000_000) => new OutputFiles({ folder, quota, keepMs: 10_000, now: () => now });
beforeEach(() => {
  now = Date.now();
  folder = mkdtempSync(join(tmpdir(), "outputs-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

async function keep(store: OutputFiles, plan: string, text: string, artifact = "step-0-output") {
  const writer = store.begin(plan, artifact);
  writer.write(text);
  return await writer.end();
}

async function all(store: OutputFiles, atMost: number) {
  const pages: string[] = [];
  for (let at: number | undefined = 0; at !== undefined; ) {
    const page = await store.read("PLAN", "step-0-output", at, atMost);
    pages.push(page?.text ?? "");
    at = page?.next;
  }
  return pages;
}

test.each(["abc", "a€😀b".repeat(500), "\ufffd", ""])(
  "pages of any size give the whole, character by character",
  async (text) => {
    const store = files();
    expect(await keep(store, "PLAN", text)).toEqual({
      bytes: Buffer.byteLength(text),
      kept: Buffer.byteLength(text),
    });
    for (const atMost of [5, 7, 1024, 100_000]) {
      const pages = await all(store, atMost);
      expect(pages.join("")).toBe(text);
      for (const page of pages) expect(Buffer.byteLength(page)).toBeLessThanOrEqual(atMost + 3);
    }
  },
);

test("a page that is asked for from the middle of a character begins with the next", async () => {
  const store = files();
  await keep(store, "PLAN", "a€b");
  expect(await store.read("PLAN", "step-0-output", 2, 100)).toEqual({ text: "b", size: 5 });
  expect(await store.read("PLAN", "step-0-output", 50, 100)).toEqual({ text: "", size: 5 });
});

test("nobody but the user can read them", async () => {
  await keep(files(), "PLAN", "x");
  expect(statSync(join(folder, "PLAN/step-0-output")).mode & 0o777).toBe(0o600);
});

test("one begins anew, and several are listed in the order of their steps", async () => {
  const store = files();
  await keep(store, "PLAN", "first, longer");
  await keep(store, "PLAN", "again");
  await keep(store, "PLAN", "ten", "step-10-output");
  await keep(store, "PLAN", "two", "step-2-output");
  expect(await store.list("PLAN")).toEqual([
    { artifactId: "step-0-output", size: 5 },
    { artifactId: "step-2-output", size: 3 },
    { artifactId: "step-10-output", size: 3 },
  ]);
  expect(await store.list("OTHER")).toEqual([]);
});

test("one alone is kept up to a quarter of the quota, whole characters, and says so", async () => {
  const store = files(40);
  expect(await keep(store, "PLAN", "€".repeat(100))).toEqual({ bytes: 300, kept: 9 });
  expect(await all(store, 100)).toEqual(["€€€"]);
});

test("the oldest make room, and what is too old goes", async () => {
  const store = files(40);
  for (const plan of ["A", "B", "C", "D"]) {
    await keep(store, plan, "0123456789");
    utimesSync(join(folder, plan, "step-0-output"), now / 1000, now / 1000 - 1 + plan.charCodeAt(0) / 1000);
  }
  await keep(store, "E", "0123456789");
  expect(readdirSync(folder).sort()).toEqual(["B", "C", "D", "E"]);
  now += 60_000;
  await keep(store, "F", "0");
  expect(readdirSync(folder)).toEqual(["F"]);
});

test("a disk that takes nothing ends the output, and not the command", async () => {
  symlinkSync("/dev/full", join(folder, "full"));
  const store = files();
  const writer = store.begin("PLAN", "step-0-output");
  await writer.end();
  rmSync(join(folder, "PLAN/step-0-output"));
  symlinkSync("/dev/full", join(folder, "PLAN/step-0-output"));
  expect(await keep(store, "PLAN", "x".repeat(100_000))).toEqual({ bytes: 100_000, kept: 0 });
  writeFileSync(join(folder, "BLOCKED"), "");
  expect(await keep(store, "BLOCKED", "x")).toEqual({ bytes: 1, kept: 0 });
});

test("no name leads out of the folder", async () => {
  const store = files();
  writeFileSync(join(folder, "..", "outside"), "x");
  for (const [plan, artifact] of [
    ["..", "outside"],
    [".", "x"],
    ["PLAN", "../../outside"],
    ["", ""],
  ] as const) {
    expect(await store.read(plan, artifact, 0, 10)).toBeUndefined();
    expect(await store.list(plan === "" ? "a/b" : plan)).toEqual([]);
    expect(() => store.begin(plan, artifact)).toThrow(TypeError);
  }
  rmSync(join(folder, "..", "outside"));
  expect(existsSync(join(folder, "PLAN"))).toBe(false);
});
