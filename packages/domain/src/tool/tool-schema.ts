import { z } from "zod";
import { NameSchema } from "../action/action-schema.ts";
import { STEP_SCHEMAS } from "../script/script-schema.ts";
import type { JsonObject } from "../task/message.ts";

const { command, cwd, env, timeout, expect, network, limits, dependencies } = STEP_SCHEMAS.run.shape;
const JsonSchemaObject = z.record(z.string(), z.json());

/** What a tool says of itself. */
const CAPABILITIES = {
  read_only: z.boolean().optional(),
  writes: z.boolean().optional(),
  idempotent: z.boolean().optional(),
  checkpointable: z.boolean().optional(),
  checkpoint_scope: z.string().min(1).optional(),
  write_scope: z.string().min(1).optional(),
  /** What it does beyond the plan's copy, in words: such a call cannot be undone. */
  side_effects: z.array(z.string().min(1)).optional(),
  unsafe: z.boolean().optional(),
} as const;
const CAPABILITY_NAMES = Object.keys(CAPABILITIES) as (keyof typeof CAPABILITIES)[];

const Slot = z.strictObject({
  type: z.string().min(1),
  access: z.enum(["read_only", "read_write"]).default("read_only"),
  required: z.boolean().default(true),
  description: z.string().optional(),
});

/** Where its command runs, when the plan's commands run elsewhere than on the host. */
const EnvironmentPreference = z.union([
  z.enum(["required", "preferred", "none"]),
  z.strictObject({ preference: z.literal("specific"), target_resource: z.string().min(1) }),
  z
    .strictObject({ preference: z.enum(["required", "preferred", "none"]) })
    .transform(({ preference }) => preference),
]);

/**
 * The YAML of a custom tool: a command that is run in the plan's copy. Its arguments come as `{{ args.name }}` in the
 * items of a list, as variables `ARG_NAME`, and whole, as JSON, in `TOOL_ARGUMENTS`.
 */
export const ToolSchema = z
  .strictObject({
    name: NameSchema,
    description: z.string().min(1),
    version: z.string().optional(),
    source: z
      .literal("custom", {
        error: "only custom tools are registered by hand; others come with their server or skill",
      })
      .default("custom"),
    command,
    cwd,
    env,
    timeout,
    expect,
    network,
    limits,
    dependencies,
    input_schema: JsonSchemaObject.default({ type: "object" }),
    /** What it prints is JSON of this kind. */
    output_schema: JsonSchemaObject.optional(),
    resources: z.record(z.string(), Slot).optional(),
    resource_slots: z.array(Slot.extend({ name: z.string().min(1) })).optional(),
    environment: EnvironmentPreference.optional(),
    ...CAPABILITIES,
    capability: z.strictObject(CAPABILITIES).optional(),
    code: z.never({ error: "code is not run here: put it into a file, and say the `command`" }).optional(),
  })
  .transform(({ capability = {}, resource_slots, ...raw }, context) => {
    const issue = (path: string[], message: string) => context.addIssue({ code: "custom", path, message });
    const said: Record<string, unknown> = {};
    for (const name of CAPABILITY_NAMES) {
      if (capability[name] === undefined) continue;
      if (raw[name] !== undefined && JSON.stringify(raw[name]) !== JSON.stringify(capability[name]))
        issue(["capability", name], `it says something else than \`${name}\``);
      said[name] = capability[name];
    }
    const tool = { ...raw, ...said } as Omit<typeof raw, "code">;
    if (tool.read_only === true && tool.writes === true)
      issue(["writes"], "it is `read_only`: one of both is wrong");
    if (raw.resources !== undefined && resource_slots !== undefined)
      issue(["resource_slots"], "it says the same as `resources`; one of both is enough");
    for (const { path, message } of commandProblems(tool.command, tool.input_schema)) issue(path, message);
    const slots = resource_slots?.map(({ name, ...slot }) => [name, slot] as const);
    return { ...tool, ...(slots === undefined ? {} : { resources: Object.fromEntries(slots) }) };
  });
export type CustomTool = z.output<typeof ToolSchema>;

function commandProblems(
  given: z.output<typeof command>,
  schema: z.output<typeof JsonSchemaObject>,
): { readonly path: string[]; readonly message: string }[] {
  const problems: { path: string[]; message: string }[] = [];
  if (typeof given === "string" && given.includes("{{"))
    problems.push({
      path: ["command"],
      message:
        'a shell could read an argument as commands: write the command as a list, or use its variable, such as "$ARG_PATH"',
    });
  if (typeof given !== "string" && given[0]?.includes("{{") === true)
    problems.push({ path: ["command", "0"], message: "the program itself cannot be an argument" });
  const known = argumentNames(schema);
  if (typeof given !== "string")
    given.forEach((item, i) => {
      const rest = item.replace(ARGUMENT, "");
      if (i > 0 && (rest.includes("{{") || rest.includes("}}")))
        problems.push({ path: ["command", String(i)], message: "only {{ args.NAME }} can stand in it" });
      for (const [, name = ""] of item.matchAll(ARGUMENT))
        if (!known.includes(name))
          problems.push({
            path: ["command", String(i)],
            message: `there is no argument "${name}" in \`input_schema\``,
          });
    });
  if (schema["type"] !== "object")
    problems.push({ path: ["input_schema"], message: "arguments are an object: `type: object`" });
  const variables = new Map<string, string>();
  for (const name of known) {
    const variable = argumentVariable(name);
    const other = variables.get(variable);
    if (other !== undefined)
      problems.push({
        path: ["input_schema", "properties", name],
        message: `"${other}" and "${name}" would both be ${variable}`,
      });
    variables.set(variable, name);
  }
  return problems;
}

const ARGUMENT = /\{\{\s*args\.([A-Za-z_][A-Za-z0-9_-]*)\s*\}\}/g;

/**
 * The command that a call runs. In a list arguments stand where they are named; an item that is nothing but an argument
 * that was not given is left out. A text for the shell stays as it is: it has its arguments in variables.
 */
export function commandOf(
  { command: given }: Pick<CustomTool, "command">,
  args: JsonObject,
): string | readonly string[] {
  if (typeof given === "string") return given;
  const text = (name: string): string => {
    const value = args[name];
    return value === undefined ? "" : typeof value === "string" ? value : JSON.stringify(value);
  };
  return given.flatMap((item) => {
    const [match, only] = new RegExp(ARGUMENT.source).exec(item) ?? [];
    if (match === item && args[only as string] === undefined) return [];
    return [item.replace(ARGUMENT, (_, name: string) => text(name))];
  });
}

function argumentNames(schema: z.output<typeof JsonSchemaObject>): readonly string[] {
  const { properties } = schema;
  return typeof properties === "object" && properties !== null && !Array.isArray(properties)
    ? Object.keys(properties)
    : [];
}

/** The variable that an argument of a custom tool is found in. */
export function argumentVariable(name: string): string {
  return `ARG_${name.toUpperCase().replace(/[^A-Z0-9]/g, "_")}`;
}

/** What can be counted on; nobody checks what a document says of its command but the plan's copy. */
export function capabilitiesOf(tool: CustomTool): {
  readonly readOnly: boolean;
  readonly idempotent: boolean;
  readonly effect: "none" | "sandbox" | "irreversible";
} {
  const readOnly = tool.read_only ?? tool.writes === false;
  const beyond = tool.unsafe === true || (tool.side_effects?.length ?? 0) > 0;
  return {
    readOnly: readOnly && !beyond,
    idempotent: tool.idempotent ?? readOnly,
    effect: beyond ? "irreversible" : readOnly ? "none" : "sandbox",
  };
}
