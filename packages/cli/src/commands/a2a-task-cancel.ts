import { a2aCommand } from "../a2a/a2a-command.ts";
import { emitTask } from "../a2a/emit-event.ts";
import { readMetadata } from "../a2a/message-parts.ts";

export const command = a2aCommand(async (run) => {
  const { values } = run;
  const metadata = readMetadata(values);
  const agent = await run.agent();
  const params = { id: values.positional("TASK"), ...(metadata === undefined ? {} : { metadata }) };
  await emitTask(run, await agent.call("CancelTask", params));
});
