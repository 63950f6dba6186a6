import { readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { startPlan } from "./fronts-support.ts";
import { Place, SERVER, until } from "./support.ts";

const SLOW = 120_000;

/** Processes whose environment has this entry: what a test has started, and all that came of it. */
function _processesWith(entry: string): number[] {
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
const _messagesOf = (output: string) =>
  output
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line) as { jsonrpc: string; id?: unknown; method?: string });

test("a peer that reads no further ends the front quietly, and the plan goes on", {
  timeout: SLOW,
}, async () => {
  await using place = new Place();
  const plan = await startPlan(place, ["sleep 1", "echo 2", "echo 3"]);
  const line = request("s", "SubscribeToTask", { id: plan });
  const front = `"${process.execPath}" "${SERVER}" stdio --data-dir "${place.dataDir}"`;
  // `head` takes one line and goes; the front's next write fails.
  const script = `{ ${front} < <(printf '%s' '${line}'; sleep 60); echo "code $?" >&2; } | head -1`;
  const child = place.start("bash", ["-c", script], { detached: true });
  let stderr = "";
  child.stderr?.setEncoding("utf8").on("data", (text: string) => {
    stderr += text;
  });
  await until(() => stderr.includes("code "));
  process.kill(-(child.pid ?? 0), "SIGKILL");
  expect(stderr).toBe("code 0\n");
  await until(async () =>
    (await place.agents(["plan", "status", plan, "-o", "json"])).stdout.includes("TASK_STATE_COMPLETED"),
  );
});
