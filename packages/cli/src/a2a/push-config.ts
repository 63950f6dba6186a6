import { type A2aRun, a2aCommand } from "./a2a-command.ts";
import type { Agent } from "./agent.ts";
import { refusal } from "./agent-errors.ts";
import { listOf, objectOf } from "./answers.ts";
import type { Operation, Params } from "./operations.ts";
import { field } from "./task-text.ts";

interface PushSpec {
  readonly operation: Operation;
  readonly params: (run: A2aRun) => Params;
  /** What there is to say where an agent answers with nothing. */
  readonly done?: (params: Params) => string;
}

/** A command about where an agent tells of a task; one that does not tell is not asked. */
export function pushConfigCommand({ operation, params: paramsOf, done }: PushSpec) {
  return a2aCommand(async (run) => {
    const params = paramsOf(run);
    const agent = await run.agent();
    demandPush(agent);
    const answer = await agent.call(operation, params);
    if (done !== undefined) {
      await run.emit(answer ?? {}, { text: () => done(params), names: () => [String(params["id"])] });
      return;
    }
    const configs = configsOf(answer);
    await run.emit(answer, {
      text: (given) =>
        configsOf(given)
          .map((config) => configText(config, params))
          .join("\n\n"),
      names: () => configs.map(({ id }) => String(id)),
    });
  });
}

export function demandPush({ facts }: Agent): void {
  if (!facts.capabilities.includes("push notifications"))
    throw refusal("PushNotificationNotSupportedError", "this agent's card declares no push notifications");
}

/** One or a list, in any version: 0.3 has the configuration a level deeper, and lists are bare there. */
function configsOf(answer: unknown): readonly Params[] {
  const list = Array.isArray(answer) ? listOf(answer) : objectOf(answer)["configs"];
  if (list !== undefined) return listOf(list).map(flat);
  return Object.keys(objectOf(answer)).length === 0 ? [] : [flat(objectOf(answer))];
}

function flat({ pushNotificationConfig, ...config }: Params): Params {
  return pushNotificationConfig === undefined ? config : { ...config, ...objectOf(pushNotificationConfig) };
}

function configText(config: Params, params: Params): string {
  const { scheme, schemes } = objectOf(config["authentication"]);
  const said = typeof scheme === "string" ? scheme : Array.isArray(schemes) ? schemes.join(", ") : undefined;
  return [
    field("Task", String(config["taskId"] ?? params["taskId"])),
    field("Config", String(config["id"] ?? "")),
    field("URL", String(config["url"] ?? "")),
    ...(said === undefined ? [] : [field("Authentication", said)]),
  ].join("\n");
}
