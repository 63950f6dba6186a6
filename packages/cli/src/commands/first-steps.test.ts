import { describe, expect, test } from "vitest";
import { FakeCli, type FakeCliOptions, Refusal } from "../testing/fake-cli.ts";
import { goldenText } from "../testing/golden-text.ts";
import { PLAN_ID, planItem, planPage, STATUS } from "../testing/samples.ts";

const NOT_THERE = new Refusal(-32001, "no such project", { reason: "ENTRY_NOT_FOUND", details: [] });
const TAKEN = new Refusal(-32005, "it is there", { reason: "ALREADY_EXISTS", details: [] });
const projects = (...items: object[]) => ({ projects: items, total: items.length, next_page_token: "" });
const actions = (total: number) => ({ actions: [], total, next_page_token: "" });
const FILE = "/work/app/.cleveragents.toml";

async function ran(options: FakeCliOptions, ...argv: string[]) {
  const cli = new FakeCli(options);
  return { cli, code: await cli.run(...argv) };
}

describe("agents init", () => {
  const fresh = {
    "_cleveragents/registry/project/list": projects(),
    "_cleveragents/registry/project/add": ({ name, path }: Record<string, unknown>) => ({ name, path }),
    "_cleveragents/registry/action/list": actions(0),
  };
  const there = {
    ...fresh,
    "_cleveragents/registry/project/list": projects({ name: "local/app", path: "/work/app" }),
    "_cleveragents/registry/action/list": actions(2),
  };
  const files = { "/work/app/.git": "" };

  test.each([
    ["init", { calls: fresh, files }],
    ["init-2", { calls: there, files: { ...files, [FILE]: "" } }],
  ])("%s shows what is written down of it", async (file, more) => {
    await expect(await goldenText({ argv: "init", more })).toMatchFileSnapshot(`golden/${file}.txt`);
  });

  test("registers the repository and writes its file, which says nothing yet", async () => {
    const { cli, code } = await ran({ calls: fresh, files }, "init", "-o", "json");
    expect([code, JSON.parse(cli.stdout)]).toEqual([
      0,
      { project: "local/app", path: "/work/app", file: FILE, made: ["project", "file"] },
    ]);
    expect(cli.paramsOf("_cleveragents/registry/project/add")).toEqual({
      name: "local/app",
      path: "/work/app",
    });
    expect([...cli.written.keys()]).toEqual([FILE]);
    const again = await ran(
      { calls: there, files: { ...files, [FILE]: cli.written.get(FILE) ?? "" } },
      "config",
      "list",
    );
    expect(again.code).toBe(0);
  });

  test("names the project like its folder, letters without their accents", async () => {
    const cwd = "/work/Größe ünï";
    const { cli } = await ran({ calls: fresh, cwd, files: { [`${cwd}/.git`]: "" } }, "init", "-o", "json");
    expect(JSON.parse(cli.stdout)).toMatchObject({ project: "local/Grosse-uni", path: cwd });
  });

  test("changes nothing when it is run again", async () => {
    const { cli } = await ran({ calls: there, files: { ...files, [FILE]: "" } }, "init", "-o", "json");
    expect([JSON.parse(cli.stdout), cli.written.size]).toMatchObject([{ made: [] }, 0]);
    expect(cli.paramsOf("_cleveragents/registry/project/add")).toBe(undefined);
  });

  test("writes nothing where the project cannot be registered, and says how else to call it", async () => {
    const calls = { ...fresh, "_cleveragents/registry/project/add": TAKEN };
    const { cli, code } = await ran({ calls, files }, "init");
    expect([code, cli.written.size]).toEqual([1, 0]);
    expect(cli.stderr).toContain("agents init --name local/NAME");
  });
});

describe("agents demo", () => {
  const WAITING = { ...STATUS, plan_id: PLAN_ID };
  const written = {
    project: { name: "local/demo", description: "The bundled demo project" },
    action: { name: "local/polite-greeting", document: "name: local/polite-greeting" },
  };
  const calls = {
    "_cleveragents/registry/project/show": NOT_THERE,
    "_cleveragents/registry/action/add": {},
    "_cleveragents/registry/project/add": {},
    "_cleveragents/plan/use": { plan_id: PLAN_ID },
    "_cleveragents/plan/status": WAITING,
  };
  const asked = {
    statusUpdate: { taskId: PLAN_ID, contextId: "c", status: { state: "TASK_STATE_INPUT_REQUIRED" } },
  };
  const fresh: FakeCliOptions = {
    calls,
    streams: [[{ task: { id: PLAN_ID, contextId: "c", status: { state: "TASK_STATE_WORKING" } } }, asked]],
    serverProgram: () => ({ stdout: JSON.stringify(written) }),
  };

  test("has the folder written, registers it, and carries a plan out up to its approval", async () => {
    const { cli, code } = await ran(fresh, "demo", "-o", "json");
    expect([code, JSON.parse(cli.stdout)]).toEqual([
      0,
      { project: "local/demo", path: "/work/app/cleveragents-demo", plan_id: PLAN_ID, made: true },
    ]);
    expect(cli.served).toEqual([["demo", "/work/app/cleveragents-demo"]]);
    expect(cli.paramsOf("_cleveragents/registry/project/add")).toEqual({
      ...written.project,
      path: "/work/app/cleveragents-demo",
    });
    expect(cli.paramsOf("_cleveragents/plan/use")).toMatchObject({ automation_profile: "trusted" });
  });

  test("run again makes nothing, and names the plan that waits", async () => {
    const waiting = planItem(PLAN_ID, { project: "local/demo", task_state: "TASK_STATE_INPUT_REQUIRED" });
    const more = {
      calls: {
        "_cleveragents/registry/project/show": { name: "local/demo", path: "/tmp/demo" },
        "_cleveragents/plan/list": planPage(planItem("01J9K2TQ4M8R3V5W7X9Y0Z1A2C"), waiting),
      },
    };
    const { cli } = await ran(more, "demo", "-o", "json");
    expect([JSON.parse(cli.stdout), cli.served]).toEqual([
      { project: "local/demo", path: "/tmp/demo", plan_id: PLAN_ID, made: false },
      [],
    ]);
    await expect(await goldenText({ argv: "demo", more })).toMatchFileSnapshot("golden/demo.txt");
  });

  test("says why its folder could not be written, and registers nothing", async () => {
    const serverProgram = () => ({ code: 1, stderr: "error: /x is there already\nhint: name a folder\n" });
    const { cli, code } = await ran({ ...fresh, serverProgram }, "demo", "/x");
    expect([code, cli.stderr]).toEqual([1, "error: /x is there already\nhint: name a folder\n"]);
    expect(cli.paramsOf("_cleveragents/registry/project/add")).toBe(undefined);
  });

  test("is made on no other machine", async () => {
    const { cli, code } = await ran(fresh, "demo", "--server", "https://agents.example");
    expect([code, cli.connections]).toEqual([2, []]);
  });
});
