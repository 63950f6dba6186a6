import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { PassThrough, type Readable } from "node:stream";
import { text } from "node:stream/consumers";
import { afterEach, expect, test } from "vitest";
import { NamespaceTree } from "./namespace-tree.ts";
import { SandboxStatus } from "./sandbox-status.ts";

const children: ChildProcess[] = [];
afterEach(() => {
  for (const child of children.splice(0)) child.kill("SIGKILL");
});

/** A process in a group of its own, so that a signal to another group does not reach it. */
async function alone(script: string): Promise<ChildProcess & { readonly pid: number }> {
  const child = spawn("/bin/sh", ["-c", script], { detached: true, stdio: ["pipe", "pipe", "ignore"] });
  children.push(child);
  await once(child.stdout as NodeJS.ReadableStream, "data");
  return child as ChildProcess & { readonly pid: number };
}

/** What isolates a command and process 1 of its namespace, which does not end with it, as where the kernel does not see to that. */
async function apart(init: string) {
  const [outside, first] = await Promise.all([alone("echo up; exec cat"), alone(init)]);
  const told = new PassThrough();
  const status = new SandboxStatus(told);
  told.write(`${JSON.stringify({ "child-pid": first.pid })}\n`);
  await expect.poll(() => status.init).toBe(first.pid);
  const gone = once(first, "exit").then(() => undefined);
  return { outside, first, tree: new NamespaceTree(outside.pid, status, gone) };
}

test("process 1 is killed itself where it outlives what isolates it", async () => {
  const { outside, first, tree } = await apart("echo up; exec sleep 300");
  await tree.kill();
  expect([first.signalCode, outside.signalCode]).toEqual(["SIGKILL", "SIGKILL"]);
});

test("a process 1 that is asked in vain is killed after the grace", async () => {
  const { first, tree } = await apart("trap '' TERM HUP INT; echo up; while :; do sleep 300; done");
  await tree.end(50);
  expect(first.signalCode).toBe("SIGKILL");
});

test("nothing is killed any more when everything is over, since another process may have its number by then", async () => {
  const { first, outside, tree } = await apart("echo up; exec sleep 300");
  first.kill("SIGKILL");
  await once(first, "exit");
  // What settles with the end is told a moment later.
  await new Promise((resolve) => setImmediate(resolve));
  await tree.kill();
  outside.stdin?.end("still here\n");
  expect(await text(outside.stdout as Readable)).toBe("still here\n");
});
