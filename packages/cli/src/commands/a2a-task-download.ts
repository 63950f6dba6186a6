import { a2aCommand } from "../a2a/a2a-command.ts";
import { a2aError } from "../a2a/a2a-errors.ts";
import { readTask } from "../a2a/answers.ts";
import { filesOf } from "../a2a/artifact-files.ts";
import { field } from "../a2a/task-text.ts";

/** Saves what a task has made. Names come from strangers: nothing is written outside of the folder, nor over a file. */
export const command = a2aCommand(async (run) => {
  const { values, context, output } = run;
  const agent = await run.agent();
  const json = await agent.call("GetTask", { id: values.positional("TASK"), historyLength: 0 });
  const task = readTask(json);
  const wanted = values.list("artifact");
  const artifacts = task.artifacts.filter(
    ({ id, name }) =>
      wanted.length === 0 || wanted.includes(id) || (name !== undefined && wanted.includes(name)),
  );
  const missing = wanted.find((one) => !artifacts.some(({ id, name }) => id === one || name === one));
  if (missing !== undefined)
    throw a2aError("USAGE", `the task has no artifact ${missing}`, {
      hint: `it has: ${task.artifacts.map(({ id, name }) => name ?? id).join(", ") || "none"}`,
    });
  const { files, links } = filesOf(artifacts, values.text("dir") ?? ".");
  if (!values.isSet("force"))
    for (const { path } of files)
      if (await context.pathExists(path))
        throw a2aError("USAGE", `${path} is there already`, {
          hint: "replace it with --force, or use --dir",
        });
  for (const { path, bytes } of files) await context.writeBytes(path, bytes);
  await run.emit(json, {
    text: () =>
      [
        field("Task", task.id),
        field("Context", task.contextId),
        field("State", task.state),
        ...files.map(({ path, bytes }) => field("Saved", `${path}, ${bytes.length} B`)),
        ...links.map((url) => field("Link", url)),
      ].join("\n"),
    names: () => files.map(({ path }) => path),
  });
  if (files.length === 0) output.warn("there was nothing to save");
  if (links.length > 0) output.note("links are not fetched: they may need a credential of their own");
});
