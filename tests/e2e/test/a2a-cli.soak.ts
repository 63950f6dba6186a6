import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { Place } from "./support.ts";

const SLOW = 180_000;
/** The agent of docs/conformance.md, which outside suites are run against too. */
const AGENT = fileURLToPath(new URL("../../../apps/server/test/conformance/agent.ts", import.meta.url));

interface Task {
  readonly id: string;
  readonly status: { readonly state: string };
  readonly artifacts?: readonly { readonly artifactId: string }[];
}

test("agents a2a carries out every operation against an agent, in 1.0 and 0.3 and over both bindings", {
  timeout: SLOW,
}, async () => {
  await using place = new Place();
  const { url } = await place.ready(["--conditions=@cleveragents/source", AGENT, "--port", "0"]);
  const env = { A2ACLI_AGENT_CARD: url };
  const a2a = (...args: string[]) => place.agents(["a2a", ...args], { env });
  const bare = (answer: unknown) => ((answer as { task?: Task }).task ?? answer) as Task;
  const stateOf = ({ status }: Task) => status.state.toLowerCase().replace(/^task_state_/, "");

  // The other two pairs are spoken by the unit tests of the command, to an agent whose answers are written down.
  for (const version of ["1.0", "0.3"]) {
    for (const binding of version === "1.0" ? ["HTTP+JSON"] : ["JSONRPC"]) {
      const where = ["--a2a-version", version, "--transport", binding];
      const json = async (...args: string[]) => {
        const ran = await a2a(...args, ...where, "-o", "json");
        return { code: ran.code, json: JSON.parse(ran.stdout) as unknown };
      };
      const [sent, streamed, unknown] = await Promise.all([
        json("send", "echo hello"),
        a2a("send", "burst-3", "--stream", "-o", "json", ...where),
        json("task", "get", "01J9K2TQ4M8R3V5W7X9Y0Z1A2B"),
      ]);
      const said = `${version} ${binding}`;
      expect([said, sent.code, stateOf(bare(sent.json))]).toEqual([said, 0, "completed"]);
      expect(bare(sent.json).artifacts?.[0]?.artifactId).toBe("echo");
      const lines = streamed.stdout
        .trimEnd()
        .split("\n")
        .map((line) => JSON.parse(line) as { readonly statusUpdate?: Task } & Task);
      const last = lines.at(-1);
      expect([said, lines.length, last && stateOf(last.statusUpdate ?? last)]).toEqual([
        said,
        5,
        "completed",
      ]);
      expect([said, unknown.code, unknown.json]).toMatchObject([
        said,
        1,
        { error: { code: "TaskNotFoundError" } },
      ]);

      if (version === "0.3") continue;
      // A task that waits is followed no further, takes notifications, and is stopped.
      const asked = await json("send", "ask");
      const { id, status } = bare(asked.json);
      expect([said, asked.code, status.state.toLowerCase()]).toEqual([
        said,
        0,
        expect.stringMatching(/input.required$/),
      ]);
      const hook = [
        "task",
        "push-config",
        "create",
        id,
        "--url",
        "https://93.184.215.14/hook",
        "--id",
        "hook",
      ];
      const [followed, made] = await Promise.all([json("task", "subscribe", id), json(...hook)]);
      expect([said, followed.code, bare(followed.json).id, made.code]).toEqual([said, 0, id, 0]);
      const listed = await a2a("task", "push-config", "list", id, ...where);
      expect([said, listed.stdout]).toEqual([
        said,
        `Task: ${id}\nConfig: hook\nURL: https://93.184.215.14/hook\n`,
      ]);
      expect((await a2a("task", "push-config", "delete", id, "hook", ...where)).code).toBe(0);
      const cancelled = await json("task", "cancel", id);
      expect([said, cancelled.code, stateOf(bare(cancelled.json))]).toEqual([
        said,
        0,
        expect.stringMatching(/^cancell?ed$/),
      ]);
    }
  }

  const tasks = await a2a("task", "list", "--page-size", "2", "--status", "completed");
  expect([tasks.code, tasks.stdout.match(/^State: TASK_STATE_COMPLETED$/gm)?.length]).toEqual([0, 2]);
  const sent = await a2a("send", "echo to be kept", "-o", "name");
  const saved = await a2a("task", "download", sent.stdout.trim(), "--dir", "out");
  expect(saved).toMatchObject({ code: 0, stdout: expect.stringContaining("Saved: out/echo.txt") });
  expect(readFileSync(join(place.dir, "out/echo.txt"), "utf8")).toBe("echo to be kept");
  const nobody = await a2a("send", "hi", "-a", "http://127.0.0.1:9", "-o", "json");
  expect([nobody.code, JSON.parse(nobody.stdout)]).toMatchObject([
    3,
    { error: { code: "A2ACLI_ERR_UNREACHABLE" } },
  ]);
});
