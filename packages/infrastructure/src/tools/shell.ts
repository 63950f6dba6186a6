import {
  type CommandLimits,
  CommandNotStartedError,
  type CommandRequest,
  type CommandResult,
  type CommandRunner,
  type ToolContext,
  ToolError,
} from "@cleveragents/application";
import { type JsonObject, STEP_SCHEMAS, type StepValue } from "@cleveragents/domain";
import { type BuiltinTool, defineTool } from "./builtin-tool.ts";
import { confine } from "./confine.ts";

/** Of each stream, in what is told about a failure. */
const TAIL = 4000;

const LIMITS = {
  processes: "had too many processes",
  memory: "needed more memory than it may have",
} as const satisfies Record<NonNullable<CommandResult["limit"]>, string>;

export function shellTool(commands: CommandRunner): BuiltinTool {
  return defineTool({
    name: "builtin/shell",
    description:
      "Runs a command in the sandbox: a string by `sh -c`, a list as it stands. It fails if its exit code is not among `expect`, or after `timeout` seconds.",
    input: STEP_SCHEMAS.run,
    readOnly: false,
    idempotent: false,
    effect: "sandbox",
    commandOf: (args) => {
      const { command, env } = args as unknown as StepValue<"run">; // they have passed the schema
      return { command, environment: Object.keys(env) };
    },
    networkOf: (args) => args["network"] === true,
    async run(args, context) {
      const { exitCode, signal, stdout, stderr, durationMs } = await runCommand(commands, args, context);
      return {
        value: { exitCode, stdout, stderr, durationMs },
        summary: `ran ${nameOf(args.command)} (exit code ${exitCode ?? signal})`,
      };
    },
  });
}

/** A command of a tool, run in the sandbox. Throws {@link ToolError} unless it ended as it was expected to. */
export async function runCommand(
  commands: CommandRunner,
  args: StepValue<"run">,
  context: ToolContext,
  /** `name`: what people know it by. */
  as: { readonly name?: string } & Pick<CommandRequest, "shown"> = {},
): Promise<CommandResult> {
  const name = nameOf(as.name ?? args.command);
  const result = await started(commands, args, context, name, as.shown);
  if (result.cancelled) throw new ToolError("CANCELLED", `${name} was cancelled`, failure(result));
  if (result.timedOut)
    throw new ToolError("COMMAND_TIMEOUT", `${name} took longer than ${args.timeout} s`, failure(result));
  if (result.limit !== undefined)
    throw new ToolError("COMMAND_LIMIT", `${name} ${LIMITS[result.limit]}`, failure(result));
  if (args.expect !== "any" && (result.exitCode === null || !args.expect.includes(result.exitCode))) {
    const how =
      result.exitCode === null ? `was ended by ${result.signal}` : `ended with exit code ${result.exitCode}`;
    throw new ToolError("COMMAND_FAILED", `${name} ${how}`, failure(result));
  }
  return result;
}

async function started(
  commands: CommandRunner,
  args: StepValue<"run">,
  context: ToolContext,
  name: string,
  shown: CommandRequest["shown"],
): Promise<CommandResult> {
  const { sandbox, signal, network, readOnly, environment, onOutput, onPreparing } = context;
  const cwd = args.cwd === undefined ? undefined : (await confine(sandbox, args.cwd, "read")).relative;
  try {
    return await commands.run({
      command: args.command,
      root: sandbox.root,
      projectRoot: sandbox.projectRoot,
      ...(cwd === undefined ? {} : { cwd }),
      env: args.env,
      timeoutMs: args.timeout * 1000,
      network: network || args.network === true,
      ...(readOnly === true ? { readOnly } : {}),
      ...(environment === undefined ? {} : { environment }),
      ...(args.limits === undefined ? {} : { limits: limitsOf(args.limits) }),
      ...(args.dependencies === undefined ? {} : { dependencies: args.dependencies }),
      ...(shown === undefined ? {} : { shown }),
      signal,
      ...(onPreparing === undefined ? {} : { onPreparing }),
      ...(onOutput === undefined ? {} : { onOutput }),
    });
  } catch (error) {
    if (!(error instanceof CommandNotStartedError)) throw error;
    if (signal.aborted) throw new ToolError("CANCELLED", `${name} was cancelled`, {}, { cause: error });
    throw new ToolError("COMMAND_NOT_STARTED", error.message, {}, { cause: error });
  }
}

function limitsOf(asked: NonNullable<StepValue<"run">["limits"]>): CommandLimits {
  const { memory, processes, openFiles, cpu, fileSize } = asked;
  return {
    ...(memory === undefined ? {} : { memoryMiB: memory }),
    ...(processes === undefined ? {} : { processes }),
    ...(openFiles === undefined ? {} : { openFiles }),
    ...(cpu === undefined ? {} : { cpuSeconds: cpu }),
    ...(fileSize === undefined ? {} : { fileSizeMiB: fileSize }),
  };
}

function failure({ exitCode, signal, stdout, stderr, durationMs }: CommandResult): JsonObject {
  return { exitCode, signal, stdout: tail(stdout), stderr: tail(stderr), durationMs };
}

function tail(text: string): string {
  if (text.length <= TAIL) return text;
  return `…${text.slice(-TAIL).replace(/^[\uDC00-\uDFFF]/, "")}`; // not beginning with half a character
}

/** The command in a line for people. */
function nameOf(command: string | readonly string[]): string {
  const text = (typeof command === "string" ? command : command.join(" ")).trim();
  const [line = ""] = text.split("\n", 1);
  const short = Array.from(line).slice(0, 80).join("");
  return `\`${short}${short === text ? "" : "…"}\``;
}
