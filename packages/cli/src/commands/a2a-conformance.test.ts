import { expect, test } from "vitest";
import { goldenText } from "../testing/golden-text.ts";
import { AgentRefuses, Elements, ScriptedAgent, statusOf, task } from "../testing/scripted-agent.ts";

const skills = [{ id: "s", name: "S", description: "says", tags: ["t"] }];
const UNKNOWN = "00000000-0000-0000-0000-000000000000";
const notFound = new AgentRefuses(-32001, 404, "TASK_NOT_FOUND");
const page = (tasks: object[]) => ({ tasks, totalSize: tasks.length, pageSize: 1, nextPageToken: "" });
const DONE = task("COMPLETED");

/** An agent that does what is due. */
const GOOD = {
  SendMessage: (params: Record<string, unknown>) => {
    const message = params["message"] as { readonly taskId?: string } | undefined;
    if (message === undefined) return new AgentRefuses(-32602, 400, "INVALID_PARAMS");
    return message.taskId === undefined ? { task: DONE } : notFound;
  },
  GetTask: (params: Record<string, unknown>) => (params["id"] === UNKNOWN ? notFound : DONE),
  CancelTask: (params: Record<string, unknown>) =>
    params["id"] === UNKNOWN ? notFound : new AgentRefuses(-32002, 409, "TASK_NOT_CANCELABLE"),
  ListTasks: () => page([DONE]),
  SendStreamingMessage: () => new Elements([{ task: task("SUBMITTED") }, statusOf("COMPLETED")]),
};
const run = (answers: object, card: object = {}) =>
  new ScriptedAgent({ answers: { ...GOOD, ...answers }, card: { skills, ...card } }).run([
    "conformance",
    "-o",
    "json",
  ]);
const failed = async (answers: object, card: object = {}) => {
  const { code, json } = await run(answers, card);
  const { checks } = json() as { checks: { id: string; status: string; detail: string }[] };
  return { code, failed: checks.filter(({ status }) => status === "fail").map(({ id }) => id) };
};

test("agents a2a conformance passes an agent that does what is due, and shows what was looked at", async () => {
  expect((await failed({})).failed).toEqual([]);
  await expect(await goldenText({ argv: "a2a conformance", agent: GOOD })).toMatchFileSnapshot(
    "golden/a2a-conformance.txt",
  );
});

test.each([
  [
    "an answer that does not fit the schema",
    { SendMessage: () => ({ task: { id: "t-1", contextId: "c-1", status: { state: "DONE" } } }) },
    "send",
  ],
  [
    "another task",
    { GetTask: (p: Record<string, unknown>) => (p["id"] === UNKNOWN ? notFound : { ...DONE, id: "other" }) },
    "get",
  ],
  ["a task that it does not have", { GetTask: () => DONE }, "get-unknown"],
  [
    "an error of another name",
    { CancelTask: () => new AgentRefuses(-32603, 500, "INTERNAL") },
    "cancel-unknown",
  ],
  ["pages that are too long", { ListTasks: () => page([DONE, DONE]) }, "list"],
  [
    "a stream that does not begin with the task",
    { SendStreamingMessage: () => new Elements([statusOf("COMPLETED")]) },
    "stream",
  ],
  ["nothing that was said", { SendMessage: () => ({ task: DONE }) }, "send-nothing"],
])("%s is found, and exit code 1", async (_, answers, id) => {
  const found = await failed(answers);
  expect([found.code, found.failed]).toEqual([1, expect.arrayContaining([id])]);
});

test("what the agent does not declare has to be refused, and what it declares is not tried on strangers", async () => {
  const capabilities = { streaming: false, pushNotifications: false };
  expect(await failed({}, { capabilities })).toMatchObject({ failed: ["push"] });
  const refusing = {
    CreateTaskPushNotificationConfig: () => new AgentRefuses(-32003, 400, "PUSH_NOTIFICATION_NOT_SUPPORTED"),
  };
  const { code, json } = await run(refusing, { capabilities });
  expect([code, json()]).toMatchObject([0, { failed: 0, skipped: 1 }]);
});

test("an agent that is not there is no agent that fails", async () => {
  const { code, json } = await new ScriptedAgent({}).run([
    "conformance",
    "https://gone.example",
    "-o",
    "json",
  ]);
  expect([code, json()]).toMatchObject([3, { error: { code: "A2ACLI_ERR_UNREACHABLE" } }]);
});
