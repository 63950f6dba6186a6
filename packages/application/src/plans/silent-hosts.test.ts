import type { Plan } from "@cleveragents/domain";
import { expect, test } from "vitest";
import type { Command, TaskRow } from "../ports/task-store.ts";
import { SilentHosts } from "./silent-hosts.ts";

const silent = { debug() {}, info() {}, warn() {}, error() {} };

function planOn(host: string, more: Partial<Plan> = {}): TaskRow {
  const document = {
    planId: host,
    contextId: "c",
    host,
    attempt: 1,
    stage: { phase: "execute", state: "processing" },
    steps: [{ index: 0, label: "run", kind: "run", status: "running" }],
    ...more,
  };
  return { taskId: host, epoch: 4, runId: "r", state: "working", document } as unknown as TaskRow;
}

function worldOf(rows: readonly TaskRow[]) {
  const commits: Command[] = [];
  const hosts = new SilentHosts({
    store: {
      unfinished: async () => rows,
      commit: async (command: Command) => {
        commits.push(command);
        return { epoch: 5, lastSeq: 1, revision: 1, appended: 1 };
      },
    } as never,
    hosts: { beat: async () => undefined, silent: async () => ["gone"], close: async () => undefined },
    clock: { now: () => 1 },
    ids: { next: () => "id" },
    logger: silent,
  });
  return { hosts, commits };
}

test("a plan at work on a host that is silent is taken from its run and asks whether to try again", async () => {
  const { hosts, commits } = worldOf([planOn("here"), planOn("gone")]);
  await hosts.look();
  expect(commits).toMatchObject([
    { taskId: "gone", expect: { epoch: 4, runId: "r" }, bumpEpoch: true, runId: null },
    {
      taskId: "gone",
      expect: { epoch: 5 },
      document: {
        stage: { phase: "execute", state: "errored" },
        failure: { reason: "HOST_SILENT", step: 0 },
        open: { kind: "retry" },
        steps: [{ status: "failed" }],
      },
      events: [{ event: { state: "working" } }, { event: { state: "input-required" } }],
    },
  ]);
});

test("a plan that asks something already is left as it is", async () => {
  const { hosts, commits } = worldOf([planOn("gone", { open: { requestId: "q" } as never })]);
  await hosts.look();
  expect(commits).toEqual([]);
});
