import { expect, test } from "vitest";
import { Caller } from "./a2a-cli-live.ts";
import { startSdkAgent } from "./sdk-agent.ts";

test("agents a2a speaks to an agent of the official SDK, over each binding and in each version", {
  timeout: 120_000,
}, async () => {
  await using agent = await startSdkAgent();
  await using caller = new Caller(agent.url);
  const [sent, streamed, old, asked, unknown] = await Promise.all([
    caller.a2a("send", "echo hello", "--transport", "JSONRPC"),
    caller.a2a("send", "burst-3", "--stream", "-o", "json", "--transport", "HTTP+JSON"),
    caller.a2a("send", "echo hello", "--a2a-version", "0.3"),
    caller.a2a("send", "ask"),
    caller.a2a("task", "get", "nope", "-o", "json", "--transport", "HTTP+JSON"),
  ]);
  expect([sent.code, sent.field("State")]).toEqual([0, "TASK_STATE_COMPLETED"]);
  expect(sent.stdout).toContain("Artifact: echo (echo)\nText:\necho hello\n\n");
  expect([streamed.code, streamed.lines.length]).toEqual([0, 5]);
  expect([old.code, old.field("State")]).toEqual([0, "completed"]);
  expect([unknown.code, unknown.json]).toMatchObject([1, { error: { code: "TaskNotFoundError" } }]);
  // What was printed is what goes on.
  const answered = await caller.shell((asked.field("Next") ?? "false").replace('"REPLY"', "Rex"));
  expect([answered.code, answered.field("Task"), answered.field("State")]).toEqual([
    0,
    asked.field("Task"),
    "TASK_STATE_COMPLETED",
  ]);
});
