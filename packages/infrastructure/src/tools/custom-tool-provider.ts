import path from "node:path";
import {
  type CommandRunner,
  customToolExecutable,
  type Logger,
  type RegistryStore,
  type ToolContext,
  type ToolDescriptor,
  ToolError,
  type ToolProvider,
  type ToolResult,
  type Trust,
  TrustRequiredError,
} from "@cleveragents/application";
import {
  argumentVariable,
  type CustomTool,
  capabilitiesOf,
  commandOf,
  type JsonObject,
  type SkillRegistration,
  skillToolName,
} from "@cleveragents/domain";
import type { z } from "zod";
import type { jsonSchemaInput } from "./json-schema-input.ts";
import { runCommand } from "./shell.ts";

interface Loaded {
  readonly tool: CustomTool;
  readonly descriptor: ToolDescriptor;
  readonly output: z.ZodType<JsonObject> | undefined;
}

export interface CustomToolProviderDeps {
  readonly registry: Pick<RegistryStore, "list">;
  readonly commands: CommandRunner;
  readonly trust: Trust;
  readonly logger: Logger;
}

/** Resources that are the plan's own project, whatever it is. */
const PROJECT_TYPES: ReadonlySet<string> = new Set(["git-checkout", "fs-directory"]);

/** The registered tools whose commands run in the plan's sandbox, once somebody has consented to them. */
export class CustomToolProvider implements ToolProvider {
  readonly #deps: CustomToolProviderDeps;
  #tools: ReadonlyMap<string, Loaded> = new Map();

  constructor(deps: CustomToolProviderDeps) {
    this.#deps = deps;
  }

  list(): readonly ToolDescriptor[] {
    return [...this.#tools.values()].map(({ descriptor }) => descriptor);
  }

  load(): Promise<void> {
    return this.refresh();
  }

  async refresh(): Promise<void> {
    const loaded = new Map<string, Loaded>();
    const entries = await this.#documents();
    // The checker of schemas is not loaded for nothing.
    const checker =
      entries.length === 0 ? undefined : (await import("./json-schema-input.ts")).jsonSchemaInput;
    for (const { name, document } of entries) {
      if (checker === undefined) break;
      try {
        loaded.set(name, load(document as unknown as CustomTool, checker)); // checked when it was registered
      } catch (error) {
        this.#deps.logger.warn({ tool: name, error: String(error) }, "a registered tool cannot be used");
      }
    }
    this.#tools = loaded;
  }

  /** Those that are registered, and those that skills have of their own; of one name the registered one. */
  async #documents(): Promise<readonly { readonly name: string; readonly document: unknown }[]> {
    const { registry } = this.#deps;
    const [tools, skills] = await Promise.all([registry.list("tool"), registry.list("skill")]);
    const own = skills.flatMap(({ name: skill, document }) => {
      const { anonymous_tools = [] } = document as unknown as Partial<SkillRegistration>; // checked when it was registered
      return anonymous_tools.map((tool) => {
        const name = skillToolName(skill, tool.name);
        return { name, document: { ...tool, name } };
      });
    });
    return [...own, ...tools];
  }

  async call(name: string, args: JsonObject, context: ToolContext): Promise<ToolResult> {
    const found = this.#tools.get(name);
    if (found === undefined) throw new ToolError("UNKNOWN_TOOL", `there is no tool ${name}`);
    const { tool, descriptor, output } = found;
    if (context.readOnly === true && !descriptor.readOnly)
      throw new ToolError("READ_ONLY", `${name} would change the sandbox, which can only be read now`);
    const environment = environmentFor(tool, context);
    await this.#demand(tool);
    const { environment: _, ...rest } = context;
    const result = await runCommand(
      this.#deps.commands,
      {
        command: commandOf(tool, args) as string | string[],
        env: { ...tool.env, ...variablesOf(tool, args) },
        timeout: tool.timeout,
        expect: tool.expect,
        ...(tool.cwd === undefined ? {} : { cwd: tool.cwd }),
        ...(tool.network === undefined ? {} : { network: tool.network }),
        ...(tool.limits === undefined ? {} : { limits: tool.limits }),
        ...(tool.dependencies === undefined ? {} : { dependencies: tool.dependencies }),
      },
      environment === undefined ? rest : { ...rest, environment },
    );
    const { exitCode, signal, stdout, stderr } = result;
    const value = output === undefined ? { exitCode, stdout, stderr } : parsed(name, stdout, output);
    return { value, summary: `${name} ended with exit code ${exitCode ?? signal}` };
  }

  async #demand(tool: CustomTool): Promise<void> {
    try {
      await this.#deps.trust.demand(customToolExecutable(tool));
    } catch (error) {
      if (error instanceof TrustRequiredError)
        throw new ToolError(error.reason, error.message, { digest: error.digest, command: error.command });
      throw error;
    }
  }
}

function load(tool: CustomTool, checker: typeof jsonSchemaInput): Loaded {
  const { name, description, input_schema: inputSchema, output_schema } = tool;
  const run = { network: tool.network === true, variables: Object.keys(tool.env) };
  return {
    tool,
    output: output_schema === undefined ? undefined : checker(output_schema),
    descriptor: {
      name,
      description,
      source: "custom",
      input: checker(inputSchema),
      inputSchema,
      ...capabilitiesOf(tool),
      commandOf: (args) => ({ command: commandOf(tool, args), environment: run.variables }),
      networkOf: () => run.network,
    },
  };
}

/** Where it runs: where the plan's commands do, unless the tool says otherwise. Never the host in place of a container. */
function environmentFor(
  { name, environment: wanted }: CustomTool,
  { environment }: ToolContext,
): ToolContext["environment"] {
  if (wanted === "none") return undefined;
  if (wanted === "required" && environment === undefined)
    throw new ToolError(
      "ENVIRONMENT_REQUIRED",
      `${name} runs in a container only, and this plan's commands run on the host: agents plan use ACTION --environment devcontainer`,
    );
  if (typeof wanted === "object" && environment?.name !== wanted.target_resource)
    throw new ToolError(
      "ENVIRONMENT_REQUIRED",
      `${name} runs in ${wanted.target_resource} only, and this plan's commands run ${environment === undefined ? "on the host" : `in ${environment.name}`}: agents plan use ACTION --environment devcontainer:${wanted.target_resource}`,
    );
  return environment;
}

function variablesOf(tool: CustomTool, args: JsonObject): Record<string, string> {
  const variables: Record<string, string> = { TOOL_ARGUMENTS: JSON.stringify(args) };
  for (const [name, value] of Object.entries(args))
    variables[argumentVariable(name)] = typeof value === "string" ? value : JSON.stringify(value);
  for (const [slot, { type, required }] of Object.entries(tool.resources ?? {})) {
    if (PROJECT_TYPES.has(type))
      variables[`RESOURCE_${slot.toUpperCase().replace(/[^A-Z0-9]/g, "_")}`] =
        path.posix.relative(tool.cwd ?? ".", ".") || ".";
    else if (required)
      throw new ToolError(
        "RESOURCE_UNBOUND",
        `${tool.name} needs a ${type} as ${slot}, and a plan has its project only`,
      );
  }
  const broken = Object.entries(variables).find(([, value]) => value.includes("\0"));
  if (broken !== undefined)
    throw new ToolError(
      "INVALID_ARGUMENTS",
      `${broken[0]}: a command's argument cannot hold a NUL character`,
    );
  return variables;
}

function parsed(name: string, stdout: string, output: z.ZodType<JsonObject>): JsonObject {
  let value: unknown;
  try {
    value = JSON.parse(stdout);
  } catch (cause) {
    const said = { stdout: stdout.slice(0, 2000) };
    throw new ToolError("TOOL_OUTPUT", `${name} did not answer with JSON`, said, { cause });
  }
  const checked = output.safeParse(value);
  if (checked.success) return checked.data;
  const problems = checked.error.issues.map(
    ({ path: at, message }) => `${at.join(".") || "answer"}: ${message}`,
  );
  throw new ToolError(
    "TOOL_OUTPUT",
    `${name} did not answer as its output_schema says: ${problems.join("; ")}`,
  );
}
