import { type A2aRun, a2aCommand } from "../a2a/a2a-command.ts";
import { listOf, objectOf, readTask } from "../a2a/answers.ts";
import type { A2aVersion, Params } from "../a2a/operations.ts";
import { historyOf } from "../a2a/task-flags.ts";
import { field } from "../a2a/task-text.ts";

/** The tasks of any agent's that the caller may see, page by page. */
export const command = a2aCommand(async (run) => {
  const agent = await run.agent();
  const page = objectOf(await agent.call("ListTasks", paramsOf(run, agent.face.speaks)));
  const tasks = listOf(page["tasks"]);
  const token = typeof page["nextPageToken"] === "string" ? page["nextPageToken"] : "";
  if (run.streams && run.output.format === "json") {
    for (const task of tasks) await run.emit(task, { text: () => "", names: () => [] });
    if (token !== "") run.output.note(`There are more: --page-token ${token}`);
    return;
  }
  await run.emit(page, { text: listText, names: () => tasks.map((task) => readTask(task).id) });
});

function paramsOf({ values, settings }: A2aRun, version: A2aVersion): Params {
  const given: readonly (readonly [string, unknown])[] = [
    ["contextId", settings.text("context-id")],
    ["status", stateOf(values.text("status"), version)],
    ["pageSize", values.number("page-size")],
    ["pageToken", values.text("page-token")],
    ["statusTimestampAfter", values.text("since")],
    ["includeArtifacts", values.isSet("artifacts") ? true : undefined],
  ];
  return { ...Object.fromEntries(given.filter(([, value]) => value !== undefined)), ...historyOf(values) };
}

/** `completed`, `input-required` or the whole name of A2A's. */
function stateOf(text: string | undefined, version: A2aVersion): string | undefined {
  if (text === undefined) return undefined;
  const bare = text
    .toUpperCase()
    .replaceAll("-", "_")
    .replace(/^TASK_STATE_/, "");
  return version === "1.0" ? `TASK_STATE_${bare}` : bare.toLowerCase().replaceAll("_", "-");
}

function listText(page: Params): string {
  const groups = listOf(page["tasks"]).map((json) => {
    const { id, contextId, state, timestamp } = readTask(json);
    return [
      field("Task", id),
      field("Context", contextId),
      field("State", state),
      ...(timestamp === undefined ? [] : [field("Updated", timestamp)]),
      "",
    ].join("\n");
  });
  const token = page["nextPageToken"];
  return [
    ...groups,
    ...(typeof page["totalSize"] === "number" ? [field("Total", String(page["totalSize"]))] : []),
    ...(typeof token === "string" && token !== "" ? [field("Next-Page", token)] : []),
  ].join("\n");
}
