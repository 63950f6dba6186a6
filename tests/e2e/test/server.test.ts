import { existsSync, mkdirSync, readFileSync, statSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { expect, test } from "vitest";
import { AGENTS, freePort, isAlive, Place, SERVER, until } from "./support.ts";

const SLOW = 120_000;

test("a server with the demo prints three commands that work when pasted elsewhere, and a second start finds all as it was", {
  timeout: SLOW,
}, async () => {
  await using place = new Place();
  const server = await place.server(["--demo"]);
  const commands = server
    .output()
    .split("\n")
    .filter((line) => line.startsWith("  "));
  expect(commands.map((line) => /plan (diff|apply|list)/.exec(line)?.[1])).toEqual(["diff", "apply", "list"]);
  // The path is that of an installed `agents`; here the one of this checkout stands for it.
  const paste = (line: string) =>
    place.run("sh", ["-c", line.replace(/^\s*\S*agents\b/, `"${process.execPath}" "${AGENTS}"`)], {
      cwd: "/",
    });
  const [diff = "", apply = "", list = ""] = commands;
  expect(await paste(diff)).toMatchObject({
    code: 0,
    stdout: expect.stringContaining("+  return `Hello, ${name}!`;"),
  });
  expect(await paste(`${apply} --yes`)).toMatchObject({ code: 0 });
  expect(await paste(list)).toMatchObject({ code: 0, stdout: expect.stringContaining("applied") });
  expect(readFileSync(join(place.dataDir, "demo/greeter/src/greet.js"), "utf8")).toContain("Hello, $");
  expect(await server.stop()).toBe(0);

  const again = await place.server(["--demo"]);
  expect(again.output()).not.toContain("plan diff");
  const plans = await place.agents(["plan", "list", "-o", "json"]);
  expect(
    (JSON.parse(plans.stdout) as { plans: { state: string }[] }).plans.map((plan) => plan.state),
  ).toEqual(["applied"]);
  expect(readFileSync(join(place.dataDir, "demo/greeter/src/greet.js"), "utf8")).toContain("Hello, $");
});

test("what is secret in the data directory is for its user alone", { timeout: SLOW }, async () => {
  await using place = new Place();
  await place.server();
  const mode = (path: string) => (statSync(path).mode & 0o777).toString(8);
  expect(mode(place.dataDir)).toBe("700");
  expect(mode(join(place.dataDir, "owner.json"))).toBe("600");
  expect(mode(join(place.dataDir, "store.db"))).toBe("600");
  expect(mode(join(place.dataDir, "engine.db"))).toBe("600");
  // In a repository of the user's, `git add -A` must not take it.
  expect(readFileSync(join(place.dataDir, ".gitignore"), "utf8")).toBe("*\n");
  expect(mode(place.discovery().socket)).toBe("600");
});

test("without a credential HTTP answers 401, with the token of the discovery file it serves", {
  timeout: SLOW,
}, async () => {
  await using place = new Place();
  const { url } = await place.server();
  const post = (headers: Record<string, string>) =>
    fetch(`${url}/a2a`, {
      method: "POST",
      headers: { "content-type": "application/json", "a2a-version": "1.0", ...headers },
      body: JSON.stringify({ jsonrpc: "2.0", id: 0, method: "ListTasks" }),
    });
  expect((await post({})).status).toBe(401);
  expect((await post({ authorization: "Bearer wrong" })).status).toBe(401);
  const served = await post({ authorization: `Bearer ${place.discovery().token}` });
  expect(served.status).toBe(200);
  expect(await served.json()).toMatchObject({ id: 0, result: { tasks: [] } });
  const card = (await (await fetch(`${url}/.well-known/agent-card.json`)).json()) as {
    supportedInterfaces: { url: string }[];
  };
  expect(card.supportedInterfaces[0]?.url).toBe(`${url}/a2a`);
  for (const probe of ["/live", "/ready", "/health", "/version"])
    expect((await fetch(url + probe)).status, probe).toBe(200);
});

test("a port that is taken: another one by default, a clear refusal when it was asked for", {
  timeout: SLOW,
}, async () => {
  await using place = new Place();
  const port = await freePort();
  const other = createServer().listen(port, "127.0.0.1");
  try {
    const asked = await place.run(process.execPath, [SERVER, "start", "--port", String(port)]);
    expect(asked).toMatchObject({
      code: 2,
      stderr: expect.stringContaining(
        `port ${port} is taken by another program: choose another one with --port`,
      ),
    });
    const child = place.start(process.execPath, [SERVER, "start"], { env: { A2A_PORT: String(port) } });
    let output = "";
    child.stdout?.setEncoding("utf8").on("data", (text: string) => {
      output += text;
    });
    await until(() => output.includes("is ready at"), 60_000);
    expect(output).toContain(`Port ${port} is taken; using `);
  } finally {
    other.close();
  }
});

test("settings that cannot be are refused before anything is made", { timeout: SLOW }, async () => {
  await using place = new Place();
  for (const [args, words] of [
    [["--port", "70000"], "is not a port"],
    [["--no-auth", "--host", "0.0.0.0"], "--no-auth serves everybody who reaches 0.0.0.0"],
    [["--nonsense"], "--nonsense"],
    [["--log-level", "loud"], "is not a log level"],
  ] as const) {
    const ran = await place.run(process.execPath, [SERVER, "start", ...args]);
    expect(ran).toMatchObject({ code: 2, stderr: expect.stringContaining(words) });
  }
  expect(existsSync(place.dataDir)).toBe(false);
});

test("a process does not outlive its directory", { timeout: SLOW }, async () => {
  await using place = new Place();
  const nested = join(place.dir, "work");
  mkdirSync(nested);
  const server = await place.server([], { cwd: nested });
  const { rmSync } = await import("node:fs");
  rmSync(nested, { recursive: true, force: true });
  await until(() => server.child.exitCode !== null || server.child.signalCode !== null);
  expect(isAlive(server.child.pid as number)).toBe(false);
});
