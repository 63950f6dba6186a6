import {
  chmod,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  realpath,
  rm,
  stat,
  symlink,
  writeFile,
} from "node:fs/promises";
import { tmpdir, userInfo } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { type Discovery, readDiscovery, removeDiscovery, writeDiscovery } from "./discovery.ts";
import { findDataDir } from "./find-data-dir.ts";
import { socketPathFor } from "./socket-path-for.ts";

const { uid } = userInfo();
let root: string;
beforeEach(async () => {
  root = await realpath(await mkdtemp(join(tmpdir(), "ca-")));
});
afterEach(() => rm(root, { recursive: true, force: true }));

const DISCOVERY: Discovery = {
  version: 1,
  pid: 4711,
  started_at: "2026-01-02T03:04:05.000Z",
  product_version: "1.2.3",
  socket: "/run/user/1000/cleveragents/0123.sock",
  http: { url: "http://127.0.0.1:8000" },
  token: "secret",
};

describe("the discovery file", () => {
  test("is read as it was written, by this user alone, and leaves nothing beside it", async () => {
    await writeDiscovery(root, DISCOVERY);
    await writeDiscovery(root, DISCOVERY);
    expect(await readDiscovery(root)).toEqual(DISCOVERY);
    expect((await stat(join(root, "owner.json"))).mode & 0o777).toBe(0o600);
    expect(await readdir(root)).toEqual(["owner.json"]);
  });

  test("of a process that was killed while it wrote leaves nothing beside the next one", async () => {
    await mkdir(join(root, "elsewhere"));
    await writeFile(join(root, "elsewhere", "file"), "not ours");
    await symlink(join(root, "elsewhere", "file"), join(root, "owner.json.tmp"));
    await writeDiscovery(root, DISCOVERY);
    expect((await readdir(root)).sort()).toEqual(["elsewhere", "owner.json"]);
    expect(await readFile(join(root, "elsewhere", "file"), "utf8")).toBe("not ours");
  });

  test("may lack an HTTP address and have members that are not known yet", async () => {
    const { http: _, ...rest } = DISCOVERY;
    await writeFile(join(root, "owner.json"), JSON.stringify({ ...rest, more: 1 }));
    expect(await readDiscovery(root)).toEqual(rest);
  });

  test.each(["version", "pid", "started_at", "product_version", "socket", "token", "http"])(
    "with a wrong %s names nobody",
    async (member) => {
      await writeFile(join(root, "owner.json"), JSON.stringify({ ...DISCOVERY, [member]: {} }));
      expect(await readDiscovery(root)).toBe(undefined);
    },
  );

  test("that is not there or no JSON names nobody", async () => {
    expect(await readDiscovery(root)).toBe(undefined);
    await writeFile(join(root, "owner.json"), '{"version":1,');
    expect(await readDiscovery(root)).toBe(undefined);
  });

  test("is taken away by the process that it names", async () => {
    await writeDiscovery(root, DISCOVERY);
    await removeDiscovery(root, 1);
    expect(await readDiscovery(root)).toBeDefined();
    await removeDiscovery(root, DISCOVERY.pid);
    expect(await readdir(root)).toEqual([]);
  });
});

describe("the data directory", () => {
  test("is what the environment says, seen from the present folder", () => {
    const places = { cwd: "/a/b", home: "/home/me" };
    expect(findDataDir({ ...places, env: { CLEVERAGENTS_DATA_DIR: "/x" } })).toBe("/x");
    expect(findDataDir({ ...places, env: { CLEVERAGENTS_DATA_DIR: "../x" } })).toBe("/a/x");
  });

  test("else the nearest one upwards, else that of the home folder", async () => {
    const cwd = join(root, "project", "deep", "er");
    await mkdir(cwd, { recursive: true });
    const find = (more = {}) =>
      findDataDir({ cwd, home: "/home/me", env: { CLEVERAGENTS_DATA_DIR: "" }, ...more });
    expect(find()).toBe("/home/me/.cleveragents");
    await mkdir(join(root, ".cleveragents"));
    expect(find()).toBe(join(root, ".cleveragents"));
    await writeFile(join(root, "project", ".cleveragents"), "a file is none");
    expect(find()).toBe(join(root, ".cleveragents"));
    await mkdir(join(root, "project", "deep", ".cleveragents"));
    expect(find({ uid })).toBe(join(root, "project", "deep", ".cleveragents"));
    expect(find({ uid: uid + 1 })).toBe("/home/me/.cleveragents");
  });
});

describe("the socket of a data directory", () => {
  test("has a short path that is the same for every name of it, in a folder of this user", async () => {
    const dataDir = join(root, "d".repeat(120));
    await mkdir(dataDir);
    await symlink(dataDir, join(root, "link"));
    const path = await socketPathFor(dataDir, root, uid);
    expect(path).toMatch(new RegExp(`^${root}/cleveragents-${uid}/[0-9a-f]{16}\\.sock$`));
    expect(await socketPathFor(join(root, "link"), root, uid)).toBe(path);
    expect(await socketPathFor(root, root, uid)).not.toBe(path);
    expect((await stat(join(root, `cleveragents-${uid}`))).mode & 0o777).toBe(0o700);
  });

  test("lies in the runtime folder where there is one", async () => {
    expect(await socketPathFor(root, "/tmp", uid, root)).toMatch(
      new RegExp(`^${root}/cleveragents/[0-9a-f]{16}\\.sock$`),
    );
  });

  test("is not made in a folder of somebody else, or one that others can enter", async () => {
    await mkdir(join(root, `cleveragents-${uid + 1}`), { mode: 0o700 });
    await expect(socketPathFor(root, root, uid + 1)).rejects.toThrow(
      `belongs to user ${uid}, not to user ${uid + 1}`,
    );
    await mkdir(join(root, `cleveragents-${uid}`));
    await chmod(join(root, `cleveragents-${uid}`), 0o770);
    await expect(socketPathFor(root, root, uid)).rejects.toThrow(/has mode 770/);
  });
});
