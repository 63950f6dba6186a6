import { callCommand } from "../command/call-command.ts";
import { documentParams } from "../command/document.ts";
import { fields } from "../output/words.ts";

export const command = callCommand({
  method: "_cleveragents/plan/create",
  params: async (invocation) => {
    const { context, values } = invocation;
    const { document, file } = await documentParams(invocation);
    const project = values.text("project");
    return {
      document,
      file,
      plan_id: values.text("id"),
      project,
      working_directory: project === undefined ? context.cwd : undefined,
      automation_profile: values.text("automation-profile") ?? values.text("profile"),
      session_id: values.text("session"),
    };
  },
  text: ({ plan_id, task_id, project, automation_profile }) =>
    fields([
      ["Plan", plan_id === task_id ? task_id : `${plan_id} (${task_id})`],
      ["Project", project],
      ["Profile", automation_profile],
      ["Next", [`agents plan execute ${plan_id}`, `agents plan status ${plan_id}`].join("\n")],
    ]),
  names: ({ task_id }) => [task_id],
});
