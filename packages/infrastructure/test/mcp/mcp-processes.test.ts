import { mkdirSync, readFileSync, realpathSync, writeFileSync } from "node:fs";
import path from "node:path";
import { storeListing, type ToolContext } from "@cleveragents/application";
import { HOSTILE_MCP_SERVER } from "@cleveragents/testing/services";
import { describe, expect, test } from "vitest";
import { BubblewrapLauncher } from "../../src/bubblewrap/index.ts";
import { CommandLedger, ProcessCommandRunner } from "../../src/process/index.ts";
import { isolationHere } from "../isolation-here.ts";
import { failure, McpWorld, textIn } from "./mcp-fixtures.ts";

const isolation = await isolationHere();
if (!isolation.works && !isolation.impossible && process.env["REQUIRE_SERVICES"] === "1")
  throw new Error(isolation.why);

test("what a killed agent has left running of a server, its successor ends, whoever has left its group", async () => {
  await using world = new McpWorld();
  const folder = path.join(world.folder, "ledger");
  const ledger = new CommandLedger(folder);
  world.processes = new ProcessCommandRunner({ env: world.env, graceMs: 200, ledger });
  const client = world.client(world.hostile("grandchildren"));
  expect(textIn(await client.callTool("echo", {}))).toBe("{}");
  expect(await world.running()).toBe(3);
  // It knows no more than what the other has written down.
  expect(await new CommandLedger(folder).endLeftovers(200)).toBe(1);
  await expect.poll(() => world.running()).toBe(0);
  await client.close();
  expect(await new CommandLedger(folder).endLeftovers(200)).toBe(0);
});

test("a server that was stopped is crossed out, and nothing of it is ended again", async () => {
  await using world = new McpWorld();
  const folder = path.join(world.folder, "ledger");
  world.processes = new ProcessCommandRunner({
    env: world.env,
    graceMs: 200,
    ledger: new CommandLedger(folder),
  });
  await world.discover(world.hostile());
  expect(await new CommandLedger(folder).endLeftovers(200)).toBe(0);
});

describe.skipIf(!isolation.works)(`isolated${isolation.works ? "" : `: skipped, ${isolation.why}`}`, () => {
  test("a server of a plan sees the copy in the project's place, writes there alone, and reads only what it may", async () => {
    await using world = new McpWorld();
    world.processes = new ProcessCommandRunner({
      env: world.env,
      graceMs: 200,
      isolation: new BubblewrapLauncher({ env: world.env, hidden: [path.join(world.folder, "hidden")] }),
    });
    const [project, copy, hidden] = ["project", "copy", "hidden"].map((name) => {
      const at = path.join(world.folder, name);
      mkdirSync(at);
      writeFileSync(path.join(at, "f.txt"), `of the ${name}`);
      return realpathSync(at);
    }) as [string, string, string];
    const server = world.hostile("good", { sandbox: "plan", readable: [path.dirname(HOSTILE_MCP_SERVER)] });
    await world.register(server);
    const { listing, level, leftRunning } = await world.discover(server);
    expect({ level, leftRunning }).toEqual({ level: "full", leftRunning: 0 });
    await storeListing(world.registry, server.name, { ...listing, found_at: 1 });
    const provider = world.provider();
    await provider.load();
    const sandbox = { root: copy, projectRoot: project } as ToolContext["sandbox"];
    const call = async (
      tool: string,
      args: { path: string; text?: string },
      more: Partial<ToolContext> = {},
    ) =>
      (await provider.call(`mcp/hostile__${tool}`, args, world.context({ sandbox, ...more }))).value["text"];
    expect(await call("read", { path: `${project}/f.txt` })).toBe("of the copy");
    await call("write", { path: `${project}/new.txt`, text: "made" });
    expect(readFileSync(path.join(copy, "new.txt"), "utf8")).toBe("made");
    expect(readFileSync(path.join(project, "f.txt"), "utf8")).toBe("of the project");
    await failure(call("read", { path: `${hidden}/f.txt` }));
    await failure(call("write", { path: path.join(path.dirname(HOSTILE_MCP_SERVER), "x"), text: "x" }));
    // In a phase that only looks the same server is another one, which cannot write.
    expect(await call("read", { path: `${project}/new.txt` }, { readOnly: true })).toBe("made");
    await failure(call("write", { path: `${project}/no.txt`, text: "x" }, { readOnly: true }));
    await provider.rest("plan-1");
    expect(await world.running()).toBe(0);
  });

  test("what is kept from view cannot be asked for, and nothing is started then", async () => {
    await using world = new McpWorld();
    const isolated = new BubblewrapLauncher({ env: world.env, hidden: [world.folder] });
    world.processes = new ProcessCommandRunner({ env: world.env, isolation: isolated });
    const server = world.hostile("good", { sandbox: "plan", readable: [path.join(world.folder, "secrets")] });
    const error = await failure(world.discover(server));
    expect(error.message).toContain("cannot be shown to commands");
    expect(await world.running()).toBe(0);
  });
});
