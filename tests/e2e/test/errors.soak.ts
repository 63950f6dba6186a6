import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterAll, beforeAll, expect, test } from "vitest";
import { isAlive, Place, until } from "./support.ts";

const SLOW = 120_000;
let place: Place;
beforeAll(() => {
  place = new Place();
  mkdirSync(place.dataDir);
});
afterAll(() => place[Symbol.asyncDispose]());

/** Exit code, what is said on stderr, and that nothing is on stdout. */
async function refused(args: readonly string[], code: number, ...words: readonly string[]): Promise<string> {
  const ran = await place.agents(args);
  expect(ran, `${args.join(" ")}: ${ran.stderr}`).toMatchObject({ code, stdout: "" });
  for (const word of words) expect(ran.stderr).toContain(word);
  expect(ran.stderr).not.toMatch(/\n\s+at |node:internal|\.ts:\d/);
  return ran.stderr;
}

test("an unknown plan, command or flag", { timeout: SLOW }, async () => {
  await refused(["plan", "status", "01ARZ3NDEKTSV4RRFFQ69G5FAV"], 1, "Plan not found", "agents plan list");
  await refused(["plan", "statsu", "x"], 2, "status");
  await refused(["plan", "list", "--frobnicate"], 2, "--frobnicate");
  await refused(["plan", "use"], 2, "ACTION");
});

test("an action that is malformed is refused whole: file, line, and what was expected", {
  timeout: SLOW,
}, async () => {
  const file = join(place.dir, "bad.yaml");
  writeFileSync(
    file,
    "name: bad\ndescription: d\nscript:\n  steps:\n    - write: { path: a.txt, contents: x }\n    - read: 5\n",
  );
  await refused(["action", "add", file], 2, "bad.yaml:5", "contents", "bad.yaml:6", "definition_of_done");
  writeFileSync(file, "name: bad\n\tdescription: d\n");
  await refused(["action", "add", file], 2, "bad.yaml:2");
  expect((await place.agents(["action", "list", "-o", "json"])).stdout).toContain('"actions": []');
  await refused(["action", "add", join(place.dir, "nowhere.yaml")], 2, "nowhere.yaml");
});

test("a missing argument, an unknown one, and a project that nobody knows", { timeout: SLOW }, async () => {
  writeFileSync(
    join(place.dir, "a.yaml"),
    "name: act\ndescription: d\ndefinition_of_done: d\narguments:\n  - { name: who, required: true }\nscript: {}\n",
  );
  expect((await place.agents(["action", "add", "a.yaml"])).code).toBe(0);
  await refused(["plan", "use", "act", "--arg", "who=x"], 2, "agents project create");
  mkdirSync(join(place.dir, "folder"));
  expect((await place.agents(["project", "create", "folder", "--path", "folder"])).code).toBe(0);
  await refused(["plan", "use", "act"], 2, "who: required", "agents action show");
  await refused(["plan", "use", "act", "--arg", "who=x", "--arg", "whom=y"], 2, "whom");
  await refused(
    ["plan", "use", "act", "--arg", "who=x", "--project", "other"],
    1,
    "local/other",
    "local/folder",
  );
  await refused(
    ["plan", "use", "act", "--arg", "who=x", "--automation-profile", "yolo"],
    2,
    "yolo",
    "supervised",
  );
  await refused(["action", "add", "a.yaml"], 1, "--update");
});

test("folders that cannot be projects", { timeout: SLOW }, async () => {
  await refused(["project", "create", "x", "--path", join(place.dir, "missing")], 1, "missing");
  await refused(["project", "create", "x", "--path", "/"], 1, "root of the file system");
  await refused(["project", "create", "x", "--path", place.env["HOME"] as string], 1, "home");
  writeFileSync(join(place.dir, "file"), "");
  await refused(["project", "create", "x", "--path", join(place.dir, "file")], 1, "not a directory");
});

test("a command that fails is shown with the end of what it said", { timeout: SLOW }, async () => {
  writeFileSync(
    join(place.dir, "f.yaml"),
    'name: fails\ndescription: d\ndefinition_of_done: d\nscript:\n  steps:\n    - run: { command: "echo the reason is this >&2; exit 3" }\n',
  );
  expect((await place.agents(["action", "add", "f.yaml"])).code).toBe(0);
  const used = await place.agents(["plan", "use", "fails", "--project", "folder", "-o", "name"]);
  const ran = await place.agents(["plan", "execute", used.stdout.trim()]);
  expect(ran).toMatchObject({ code: 11, stdout: expect.stringContaining("the reason is this") });
});

test("the action in the README is one that can be added", { timeout: SLOW }, async () => {
  const readme = readFileSync(new URL("../../../README.md", import.meta.url), "utf8");
  const yaml = /```yaml\n([\s\S]*?)```/.exec(readme)?.[1] ?? "";
  writeFileSync(join(place.dir, "readme.yaml"), yaml);
  const ran = await place.agents(["action", "add", "readme.yaml"]);
  expect(ran, ran.stderr).toMatchObject({ code: 0 });
});

test("errors as JSON carry code, message and hint", { timeout: SLOW }, async () => {
  const ran = await place.agents(["plan", "status", "01ARZ3NDEKTSV4RRFFQ69G5FAV", "-o", "json"]);
  expect(ran.code).toBe(1);
  expect(JSON.parse(ran.stdout)).toMatchObject({
    error: { code: "PLAN_NOT_FOUND", message: expect.any(String), hint: expect.any(String) },
  });
});

test("without git a folder is told to need it", { timeout: SLOW }, async () => {
  await using lonely = new Place();
  mkdirSync(lonely.dataDir);
  const bin = join(lonely.dir, "bin");
  mkdirSync(bin);
  for (const name of ["sh", "node"])
    symlinkSync(name === "node" ? process.execPath : "/bin/sh", join(bin, name));
  mkdirSync(join(lonely.dir, "p"));
  const ran = await lonely.agents(["project", "create", "p", "--path", "p"], { env: { PATH: bin } });
  expect(ran, ran.stderr).toMatchObject({ code: 1, stdout: "" });
  expect(ran.stderr).toMatch(/git/);
  expect(ran.stderr).toMatch(/hint: .*install/i);
});

test("a database of a newer version is refused at once, says what to do, and stays as it is", {
  timeout: SLOW,
}, async () => {
  await using newer = new Place({ CLEVERAGENTS_IDLE_SECONDS: "1" });
  mkdirSync(newer.dataDir);
  expect((await newer.agents(["plan", "list"])).code).toBe(0);
  const { pid } = newer.discovery();
  process.kill(pid, "SIGTERM");
  await until(() => !isAlive(pid));
  const file = join(newer.dataDir, "store.db");
  const database = new DatabaseSync(file);
  database.exec("INSERT INTO kysely_migration (name, timestamp) VALUES ('999_future', '2099-01-01')");
  database.close();
  const before = readFileSync(file);
  const ran = await newer.agents(["plan", "list"]);
  expect(ran.code).toBe(3);
  expect(ran.stderr).toMatch(/newer[\s\S]*hint:|hint:[\s\S]*newer/);
  expect(readFileSync(file).equals(before)).toBe(true);
});
