import { expect, test } from "vitest";
import { startPlan } from "./fronts-support.ts";
import { Place, SERVER, until } from "./support.ts";

const SLOW = 120_000;

const request = (id: unknown, method: string, params: object = {}) =>
  `${JSON.stringify({ jsonrpc: "2.0", id, method, params, a2a: { "A2A-Version": "1.0" } })}\n`;

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
