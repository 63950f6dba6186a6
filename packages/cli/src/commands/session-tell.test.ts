import { expect, test } from "vitest";
import { FakeCli } from "../testing/fake-cli.ts";
import { PLAN_ID } from "../testing/samples.ts";

const AT = "2026-07-01T11:00:00Z";
const status = (state: string, text?: string) => ({
  state: `TASK_STATE_${state}`,
  timestamp: AT,
  ...(text === undefined ? {} : { message: { messageId: "a", role: "ROLE_AGENT", parts: [{ text }] } }),
});
const task = (state: string, text?: string) => ({
  id: PLAN_ID,
  contextId: "nightly",
  status: status(state, text),
});
const update = (state: string, text?: string) => ({
  statusUpdate: { taskId: PLAN_ID, contextId: "nightly", status: status(state, text) },
});
const chunk = (text: string, append: boolean, artifactId = "answer") => ({
  artifactUpdate: {
    taskId: PLAN_ID,
    contextId: "nightly",
    artifact: { artifactId, parts: [{ text }] },
    append,
    lastChunk: false,
  },
});
const told = (now: object, response = "") => ({
  session_id: "nightly",
  message_id: "m",
  response,
  task: now,
});
const METHOD = "_cleveragents/session/tell";

test("the message comes from the arguments, from stdin or from a file", async () => {
  const calls = { [METHOD]: told(task("COMPLETED", "yes"), "yes") };
  const says = async (...argv: string[]) => {
    const cli = new FakeCli({ calls, stdin: "from stdin\n", files: { "q.md": "from a file" } });
    expect(await cli.run("session", "tell", "nightly", ...argv)).toBe(0);
    expect(cli.stdinRead).toBe(argv.includes("-"));
    return (cli.paramsOf(METHOD) as { text: string }).text;
  };
  expect(await says("is", "it", "well?")).toBe("is it well?");
  expect(await says("-")).toBe("from stdin\n");
  expect(await says("--file", "q.md")).toBe("from a file");
  expect(await says("--", "--stream", "-x")).toBe("--stream -x");
});

test("the plan of an action is for the project that is named, else for that of this folder", async () => {
  const calls = { [METHOD]: told(task("COMPLETED", "yes"), "yes") };
  const cli = new FakeCli({ calls });
  await cli.run("session", "tell", "nightly", "go");
  expect(cli.paramsOf(METHOD)).toMatchObject({ working_directory: expect.stringMatching(/^\//) });
  const named = new FakeCli({ calls });
  await named.run("session", "tell", "nightly", "go", "--project", "local/app");
  expect(named.paramsOf(METHOD)).toMatchObject({ project: "local/app" });
  expect((named.paramsOf(METHOD) as { working_directory?: string }).working_directory).toBeUndefined();
});

test.each([[], ["x", "--file", "q.md"], [""], ["--file", "nope.md"]])(
  "%j is wrong usage, and nothing is sent",
  async (...argv) => {
    const cli = new FakeCli({ files: { "q.md": "x" } });
    expect(await cli.run("session", "tell", "nightly", ...argv.flat())).toBe(2);
    expect(cli.connections).toEqual([]);
  },
);

test.each([
  ["COMPLETED", 0],
  ["FAILED", 12],
  ["CANCELED", 12],
  ["INPUT_REQUIRED", 11],
  ["SUBMITTED", 0],
])("an answer that ends %s is exit code %i", async (state, code) => {
  const cli = new FakeCli({ calls: { [METHOD]: told(task(state, "so"), "so") } });
  expect(await cli.run("session", "tell", "nightly", "hello")).toBe(code);
  expect(cli.stdout).toBe("so\n");
});

test("who waits for an answer is told how to give it, and it goes into the task that asked", async () => {
  const cli = new FakeCli({ calls: { [METHOD]: told(task("INPUT_REQUIRED", "which?"), "which?") } });
  await cli.run("session", "tell", "nightly", "hello");
  expect(cli.stderr).toBe(`It waits for an answer: agents session tell nightly --task ${PLAN_ID} …\n`);
  await cli.run("session", "tell", "nightly", "--task", PLAN_ID, "that one");
  expect(cli.requests.at(-1)?.params).toMatchObject({ task_id: PLAN_ID, text: "that one" });
});

test("with --stream the answer is shown while it comes, and once", async () => {
  const cli = new FakeCli({
    calls: { [METHOD]: told(task("WORKING")), GetTask: task("COMPLETED", "Hello, Ada.") },
    streams: [
      [
        { task: task("WORKING") },
        chunk("Hello", false),
        chunk(", Ada.", true),
        update("COMPLETED", "Hello, Ada."),
      ],
    ],
  });
  expect(await cli.run("session", "tell", "nightly", "--stream", "hello")).toBe(0);
  expect(cli.stdout).toBe("Hello, Ada.\n");
  expect(cli.paramsOf(METHOD)).toMatchObject({ wait: false });
});

test("an answer that began anew after a crash is shown from its beginning", async () => {
  const cli = new FakeCli({
    calls: { [METHOD]: told(task("WORKING")), GetTask: task("COMPLETED") },
    streams: [[chunk("Hel", false), chunk("Hello", false), update("COMPLETED")]],
  });
  await cli.run("session", "tell", "nightly", "--stream", "hello");
  expect(cli.stdout).toBe("Hel\nHello\n");
});

test("with --stream and -o json there is a line for each event, and the whole task last", async () => {
  const cli = new FakeCli({
    calls: { [METHOD]: told(task("WORKING")), GetTask: task("FAILED", "no") },
    streams: [[chunk("half", false), update("FAILED", "no")]],
  });
  expect(await cli.run("session", "tell", "nightly", "--stream", "-o", "json", "hello")).toBe(12);
  const lines = cli.stdout.trimEnd().split("\n");
  expect(lines.map((line) => JSON.parse(line) as object)).toEqual([
    chunk("half", false),
    update("FAILED", "no"),
    told(task("FAILED", "no"), "no"),
  ]);
});

test("deleting asks first, and without a terminal says how to do without", async () => {
  const cli = new FakeCli({ stdin: "no\n" });
  expect(await cli.run("session", "delete", "nightly")).toBe(2);
  expect(cli.stderr).toContain("--yes");
  const asked = new FakeCli({ isTTY: true, stdin: "no\n" });
  expect(await asked.run("session", "delete", "nightly")).toBe(1);
  expect(asked.paramsOf("_cleveragents/session/delete")).toBeUndefined();
});

test("a file that is no exported session is wrong usage; either form of an export is taken", async () => {
  const calls = {
    "_cleveragents/session/import": { session_id: "s", imported_from: "s", messages: 0, linked_plans: 0 },
  };
  const document = { schema_version: "v3", messages: [] };
  const files = {
    "a.json": JSON.stringify(document),
    "b.json": JSON.stringify({ session_id: "s", document }),
    "c.json": "[]",
  };
  for (const file of ["a.json", "b.json"]) {
    const cli = new FakeCli({ calls, files });
    expect(await cli.run("session", "import", file), file).toBe(0);
    expect(cli.paramsOf("_cleveragents/session/import")).toMatchObject({ document });
  }
  expect(await new FakeCli({ calls, files }).run("session", "import", "c.json")).toBe(2);
});
