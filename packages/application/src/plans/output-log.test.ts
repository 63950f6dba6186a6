import type { TaskEvent } from "@cleveragents/domain";
import { expect, test } from "vitest";
import { OutputLog } from "./output-log.ts";

function logged(spilling = true) {
  const events: Extract<TaskEvent, { type: "artifact" }>[] = [];
  let spilled: string | undefined;
  const log = new OutputLog({
    append: async (batch) => {
      for (const { event } of batch) if (event.type === "artifact") events.push(event);
    },
    key: "k",
    artifactId: "step-0-output",
    name: "Output",
    spill: spilling
      ? () => {
          spilled = "";
          return {
            write: (text) => {
              spilled += text;
            },
            end: async () => ({ bytes: Buffer.byteLength(spilled ?? ""), kept: 1000 }),
          };
        }
      : undefined,
  });
  const text = () => events.map(({ artifact }) => (artifact.parts[0] as { text: string }).text).join("");
  return { log, events, text, spilled: () => spilled };
}

test("a short output is all in the log, and nothing is spilled", async () => {
  const { log, events, text, spilled } = logged();
  log.add("one\n");
  log.add("two\n");
  await log.close();
  expect(text()).toBe("one\ntwo\n");
  expect(spilled()).toBeUndefined();
  expect(events.at(-1)).toMatchObject({ lastChunk: true });
});

test("one that just fits is told whole", async () => {
  const { log, text } = logged();
  const whole = "x".repeat(250 * 1024);
  for (let at = 0; at < whole.length; at += 1000) log.add(whole.slice(at, at + 1000));
  await log.close();
  expect(text()).toBe(whole);
});

test("of a long one the log has the beginning and the end, and says where the whole is", async () => {
  const { log, events, text, spilled } = logged();
  const lines = Array.from({ length: 100_000 }, (_, n) => `line ${n} €\n`);
  for (const line of lines) log.add(line);
  await log.close();
  expect(spilled()).toBe(lines.join(""));
  expect(text().length).toBeLessThan(257 * 1024);
  expect(text()).toMatch(/^line 0 €\n/);
  expect(text()).toMatch(/line 99999 €\n$/);
  expect(text()).toMatch(
    /\n\[… \d+ characters cut; the first 1000 of \d+ bytes: agents plan artifacts ID --artifact step-0-output …\]\n/,
  );
  const cut = Number(/\[… (\d+) characters/.exec(text())?.[1]);
  expect(text().replace(/\n\[….*…\]\n/, "").length + cut).toBe(lines.join("").length);
  expect(events.at(-1)?.domain?.data).toEqual({ bytes: Buffer.byteLength(lines.join("")), kept: 1000 });
});

test("where nothing is spilled to, it says that the middle was not kept", async () => {
  const { log, text } = logged(false);
  log.add("x".repeat(400_000));
  log.add("end\n");
  await log.close();
  expect(text().replaceAll("x", "")).toMatch(/^\n\[… \d+ characters were not kept …\]\nend\n$/);
});

test("no character is cut in two between head and tail", async () => {
  const { log, text, spilled } = logged();
  const whole = `x${"😀".repeat(200_000)}`;
  log.add(whole);
  await log.close();
  expect(spilled()).toBe(whole);
  expect(text()).not.toMatch(/[\uD800-\uDBFF](?![\uDC00-\uDFFF])|(?<![\uD800-\uDBFF])[\uDC00-\uDFFF]/);
});
