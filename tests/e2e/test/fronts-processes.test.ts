import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { StdioFront, startPlan } from "./fronts-support.ts";
import { finished, isAlive, Place, SERVER, until } from "./support.ts";

const SLOW = 120_000;

/** Processes whose environment has this entry: what a test has started, and all that came of it. */
function processesWith(entry: string): number[] {
  return readdirSync("/proc").flatMap((name) => {
    try {
      const environment = /^\d+$/.test(name) ? readFileSync(`/proc/${name}/environ`, "utf8") : "";
      return environment.split("\0").includes(entry) && !isZombie(name) ? [Number(name)] : [];
    } catch {
      return []; // ended meanwhile, or not ours to look into
    }
  });
}

const isZombie = (pid: string) => /^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, "utf8"));

const request = (id: unknown, method: string, params: object = {}) =>
  `${JSON.stringify({ jsonrpc: "2.0", id, method, params, a2a: { "A2A-Version": "1.0" } })}\n`;

/** The lines of an output, each of which must be a whole message. */
const messagesOf = (output: string) =>
  output
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line) as { jsonrpc: string; id?: unknown; method?: string });

test("standard output carries the protocol alone, whatever is logged or printed", {
  timeout: SLOW,
}, async () => {
  await using place = new Place({ LOG_LEVEL: "debug" });
  mkdirSync(place.dataDir);
  const noise = join(place.dir, "noise.mjs");
  writeFileSync(
    noise,
    'process.emitWarning("experimental", "ExperimentalWarning");\nsetInterval(() => { console.log("noise"); console.info("noise"); }, 20).unref();\n',
  );
  const child = place.start(process.execPath, [
    "--import",
    noise,
    SERVER,
    "stdio",
    "--data-dir",
    place.dataDir,
  ]);
  child.stdin?.write(request(1, "ListTasks") + request(2, "Nope"));
  await new Promise((resolve) => setTimeout(resolve, 500));
  const ran = await finished(child);
  expect(ran.code).toBe(0);
  expect(messagesOf(ran.stdout).map(({ jsonrpc, id }) => `${jsonrpc} ${id}`)).toEqual(
    expect.arrayContaining(["2.0 1", "2.0 2"]),
  );
  expect(ran.stderr).toContain("noise");
});

test("a front whose parent is killed ends within seconds, and all that it started with it", {
  timeout: SLOW,
}, async () => {
  const marker = `CLEVERAGENTS_TEST_MARK=${process.pid}-${Date.now()}`;
  const [name = "", value = ""] = marker.split("=");
  await using place = new Place({ [name]: value, CLEVERAGENTS_IDLE_SECONDS: "1" });
  mkdirSync(place.dataDir);
  // A wrapper that speaks to the front, as an editor does, and is killed in the middle of a stream.
  const wrapper = join(place.dir, "wrapper.mjs");
  writeFileSync(
    wrapper,
    `import { spawn } from "node:child_process";
const front = spawn(process.execPath, [${JSON.stringify(SERVER)}, "stdio", "--data-dir", ${JSON.stringify(place.dataDir)}], { stdio: ["pipe", "pipe", "inherit"] });
front.stdin.write(${JSON.stringify(request(1, "ListTasks"))});
front.stdout.on("data", () => console.log("front " + front.pid));
`,
  );
  const child = place.start(process.execPath, [wrapper]);
  let output = "";
  child.stdout?.setEncoding("utf8").on("data", (text: string) => {
    output += text;
  });
  await until(() => output.includes("front "));
  expect(processesWith(marker).length).toBeGreaterThanOrEqual(3);
  child.kill("SIGKILL");
  await until(() => processesWith(marker).length === 0);
});

test("input that ends with requests in flight: each is answered whole, a stream too, and it exits with 0", {
  timeout: SLOW,
}, async () => {
  await using place = new Place();
  const plan = await startPlan(place, ["sleep 30"]);
  const child = place.start(process.execPath, [SERVER, "stdio", "--data-dir", place.dataDir]);
  child.stdin?.write(
    request(1, "ListTasks") +
      request(2, "SubscribeToTask", { id: plan }) +
      request(3, "GetTask", { id: plan }),
  );
  const ran = await finished(child);
  expect(ran).toMatchObject({ code: 0, stderr: "" });
  const answered = messagesOf(ran.stdout).filter(({ method }) => method === undefined);
  expect(answered.map(({ id }) => id).sort()).toEqual([1, 2, 3]);
});

test("nothing outlives its directory: owner, server, front, and the commands of a plan that runs", {
  timeout: SLOW,
}, async () => {
  const marker = `CLEVERAGENTS_TEST_MARK=${process.pid}-${Date.now()}`;
  const [name = "", value = ""] = marker.split("=");
  await using place = new Place({ [name]: value, CLEVERAGENTS_IDLE_SECONDS: "600" });
  const plan = await startPlan(place, ["sleep 4242"]);
  const front = new StdioFront(place);
  front.send("s", "SubscribeToTask", { id: plan });
  const server = await place.server();
  const command = () => readdirSync("/proc").filter((pid) => commandOf(pid).includes("sleep\0" + "4242"));
  await until(() => command().length > 0 && front.elements("s").length > 0);
  const { pid } = place.discovery();
  rmSync(place.dataDir, { recursive: true, force: true, maxRetries: 5 });
  await until(() => !isAlive(pid));
  expect(await front.answer("s")).toMatchObject({ error: { data: [{ reason: "SHUTTING_DOWN" }] } });
  await until(() => front.child.exitCode !== null && server.child.exitCode !== null);
  await until(() => command().length === 0 && processesWith(marker).length === 0);
  expect(readdirSync(place.dir)).not.toContain(".cleveragents");
});

function commandOf(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, "utf8");
  } catch {
    return "";
  }
}
