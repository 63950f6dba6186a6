import type { ChildProcess } from "node:child_process";
import { PassThrough } from "node:stream";
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { drained } from "./drained.ts";

/** A command that has ended, of which only the pipes are left. */
function ended() {
  const stdout = new PassThrough();
  const stderr = new PassThrough();
  const text: string[] = [];
  stdout.on("data", (chunk: Buffer) => text.push(chunk.toString()));
  return { child: { stdout, stderr } as unknown as ChildProcess, stdout, stderr, text };
}
const never = new Promise<void>(() => undefined);

describe("drained", () => {
  it("waits until everything has been read", async () => {
    const { child, stdout, text } = ended();
    const closed = new Promise<void>((resolve) => stdout.once("end", resolve));
    setTimeout(() => stdout.end("late"), 10);
    await drained(child, closed);
    expect(text).toEqual(["late"]);
    expect(stdout.destroyed).toBe(true); // by itself, at its end
  });

  it("closes pipes that stay open and quiet", async () => {
    const { child, stdout, stderr } = ended();
    await drained(child, never);
    expect([stdout.destroyed, stderr.destroyed]).toEqual([true, true]);
  });

  it("cuts off who goes on writing for ever", async () => {
    const { child, stdout } = ended();
    const writing = setInterval(() => stdout.write("x"), 5);
    try {
      const outcome = await Promise.race([
        drained(child, never).then(() => "cut"),
        sleep(8000, "still there"),
      ]);
      expect(outcome).toBe("cut");
      expect(stdout.destroyed).toBe(true);
    } finally {
      clearInterval(writing);
    }
  });
});
