import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import {
  inTheMiddle,
  postgresForTests,
  processesWith,
  Replicas,
  statusOf,
  tokenOf,
} from "./replicas-fixtures.ts";
import { finished, Place, SERVER, until } from "./support.ts";

const SLOW = 180_000;
const postgres = await postgresForTests();

describe.skipIf(postgres === undefined)("two servers on one database", () => {
  const open = async () => Replicas.on(postgres as NonNullable<typeof postgres>);

  test("a message that is sent to both of them at once starts one plan", { timeout: SLOW }, async () => {
    await using place = await open();
    const [a, b] = [await place.server(), await place.server()];
    const clients = [place.client(a), place.client(b)];
    await place.furnish(place.client(a), "idle", ["say: { text: nothing }"]);
    const sent = await Promise.all(
      [0, 1, 2, 3].map((n) =>
        (clients[n % 2] ?? place.client(a)).call("SendMessage", {
          message: {
            messageId: "m-1",
            role: "ROLE_USER",
            parts: [{ data: { action_name: "idle", automation_profile: "trusted" } }],
          },
        }),
      ),
    );
    const ids = sent.map((answer) => ("task" in answer ? answer.task.id : ""));
    expect(new Set(ids).size).toBe(1);
    expect((await place.client(b).call("ListTasks", {})).tasks).toHaveLength(1);
  });

  test("one that stands still loses its plan and the command that it runs, and changes nothing when it goes on", {
    timeout: SLOW,
  }, async () => {
    await using place = await open();
    const { id, word, running, worker, client } = await inTheMiddle(place);
    worker.child.kill("SIGSTOP");
    // One that has ended and that nobody collects has no arguments.
    await until(() => !processesWith(word).some((pid) => running.includes(pid)), 60_000);
    expect(existsSync(join(place.dataDir, "sandboxes", id, "tree", "effect.txt"))).toBe(false);
    worker.child.kill("SIGCONT");
    await until(async () => (await statusOf(client, id)).waiting_for?.kind === "apply", 60_000);
    const { digest } = await statusOf(client, id);
    await client.call("_cleveragents/plan/apply", { plan_id: id, digest });
    expect(readFileSync(join(place.project, "effect.txt"), "utf8")).toBe("effect\n");
    expect((await statusOf(place.client(worker), id)).task_state).toBe("TASK_STATE_COMPLETED");
    expect(processesWith(word)).toEqual([]);
  });

  test("what the command line asks is answered by whichever of them lives", { timeout: SLOW }, async () => {
    await using place = await open();
    const a = await place.server();
    const b = await place.server();
    expect(place.discovery().pid).toBe(a.child.pid);
    const plain = { env: { DATABASE_URL: "" } };
    expect((await place.agents(["plan", "list"], plain)).code).toBe(0);
    a.child.kill("SIGKILL");
    await finished(a.child);
    expect(await place.agents(["plan", "list"], plain)).toMatchObject({ code: 0 });
    expect(place.discovery().pid).toBe(b.child.pid);
    expect(await b.stop()).toBe(0);
    expect(existsSync(join(place.dataDir, "owner.json"))).toBe(false);
  });

  test("a directory is used with a database or without, and whoever mixes the two is told", {
    timeout: SLOW,
  }, async () => {
    await using place = await open();
    const refused = async (env: Record<string, string>) => {
      const ran = await place.run(process.execPath, [SERVER, "start", "--port", "0"], { env });
      expect(ran.code).not.toBe(0);
      return ran.stderr;
    };
    await using alone = new Place();
    const owner = await alone.server();
    const taken = await place.run(process.execPath, [SERVER, "start", "--data-dir", alone.dataDir]);
    expect(taken.stderr).toContain(`a process without a database owns ${alone.dataDir}`);
    await alone.agents(["project", "create", "p", "--path", place.project]);
    await owner.stop();

    const scaled = await place.server();
    expect(await scaled.stop()).toBe(0);
    expect(await refused({ DATABASE_URL: "" })).toContain("DATABASE_URL is not set");
    const secret = "s3cret-w0rd";
    const wrong = `postgresql://user:${secret}@127.0.0.1:1/none`;
    const unreachable = await refused({ DATABASE_URL: wrong, DATABASE_TIMEOUT: "1" });
    expect(unreachable).toContain("127.0.0.1:1");
    expect(unreachable).not.toContain(secret);
    expect(await refused({ DATABASE_URL: `mysql://u:${secret}@h/d` })).toMatch(
      /^(?!.*s3cret).*DATABASE_URL/s,
    );
    expect(await refused({ DATABASE_POOL_SIZE: "two" })).toContain("DATABASE_POOL_SIZE");
    expect(await refused({ DATABASE_TIMEOUT: "-1" })).toContain("DATABASE_TIMEOUT");
    expect(tokenOf(place.dataDir)).toEqual(expect.any(String));
  });
});
