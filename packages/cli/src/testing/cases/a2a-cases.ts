import { Elements, statusOf, task } from "../scripted-agent.ts";
import type { Case } from "./case.ts";

const DONE = task("COMPLETED", {
  artifacts: [
    { artifactId: "a-1", name: "report.txt", parts: [{ text: "the result\nof it" }] },
    { artifactId: "a-2", parts: [{ data: { passed: 12 } }] },
  ],
});
const CONFIG = {
  id: "p-1",
  taskId: "t-1",
  url: "https://hooks.example/a2a",
  authentication: { scheme: "Bearer" },
};

/** Commands for any agent; their forms of output are those of the a2a-cli specification. */
export const A2A_CASES: readonly Case[] = [
  { argv: "a2a card get", agent: {} },
  { argv: "a2a send hello", agent: { SendMessage: () => ({ task: DONE }) } },
  {
    argv: "a2a send hello --stream",
    agent: {
      SendStreamingMessage: () =>
        new Elements([{ task: task("SUBMITTED") }, statusOf("WORKING"), statusOf("COMPLETED")]),
    },
  },
  { argv: "a2a task get t-1", agent: { GetTask: () => DONE } },
  {
    argv: "a2a task list",
    agent: {
      ListTasks: () => ({ tasks: [DONE, task("WORKING")], totalSize: 2, pageSize: 50, nextPageToken: "" }),
    },
  },
  {
    argv: "a2a task list --page-size 5",
    agent: { ListTasks: () => ({ tasks: [], totalSize: 0, pageSize: 5, nextPageToken: "" }) },
  },
  { argv: "a2a task cancel t-1", agent: { CancelTask: () => task("CANCELED") } },
  {
    argv: "a2a task subscribe t-1",
    agent: { SubscribeToTask: () => new Elements([{ task: task("WORKING") }, statusOf("COMPLETED")]) },
  },
  { argv: "a2a task download t-1", agent: { GetTask: () => DONE } },
  {
    argv: "a2a task push-config create t-1 --url https://hooks.example/a2a",
    agent: { CreateTaskPushNotificationConfig: () => CONFIG },
  },
  { argv: "a2a task push-config get t-1 p-1", agent: { GetTaskPushNotificationConfig: () => CONFIG } },
  {
    argv: "a2a task push-config list t-1",
    agent: { ListTaskPushNotificationConfigs: () => ({ configs: [CONFIG], nextPageToken: "" }) },
  },
  {
    argv: "a2a task push-config delete t-1 p-1",
    agent: { DeleteTaskPushNotificationConfig: () => ({}) },
  },
  { argv: "a2a config show --bearer secret", agent: {} },
];
