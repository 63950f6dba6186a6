import { z } from "zod";
import { NameSchema } from "../action/action-schema.ts";

const Side = z.enum(["physical", "virtual"]);
const Argument = z.strictObject({
  name: z.string().regex(/^[A-Za-z][A-Za-z0-9_-]*$/, "a name of an argument"),
  type: z.enum(["string", "path", "integer", "boolean", "url"]).default("string"),
  required: z.boolean().default(false),
  description: z.string().default(""),
  default: z.union([z.string(), z.number(), z.boolean()]).optional(),
  validation_pattern: z.string().refine(isRegularExpression, "not a regular expression").optional(),
});
export type ResourceArgument = z.output<typeof Argument>;
const Capabilities = z.strictObject({
  readable: z.boolean().optional(),
  writable: z.boolean().optional(),
  sandboxable: z.boolean().optional(),
  checkpointable: z.boolean().optional(),
});

function isRegularExpression(pattern: string): boolean {
  try {
    new RegExp(pattern, "u");
    return true;
  } catch {
    return false;
  }
}

/** The YAML of a type of resources. Fields that the documents name in several ways are kept under the first. */
export const ResourceTypeSchema = z
  .strictObject({
    name: NameSchema,
    description: z.string().default(""),
    physical_or_virtual: Side.optional(),
    classification: Side.optional(),
    resource_kind: Side.optional(),
    /** Whether people register such resources; others are found. */
    user_addable: z.boolean().default(true),
    cli_arguments: z.array(Argument).optional(),
    cli_args: z.array(Argument).optional(),
    sandbox_strategy: z.string().min(1).optional(),
    handler: z.string().min(1).optional(),
    allowed_parent_types: z.array(z.string().min(1)).default([]),
    child_types: z
      .array(z.strictObject({ type: z.string().min(1), auto_discover: z.boolean().default(false) }))
      .default([]),
    capabilities: Capabilities.default({}),
    /** Another type, whose arguments, capabilities and strategy it has, too. */
    inherits: z.string().min(1).optional(),
  })
  .transform(({ classification, resource_kind, cli_args, ...raw }, context) => {
    const sides = [raw.physical_or_virtual, classification, resource_kind].filter(
      (side) => side !== undefined,
    );
    if (new Set(sides).size > 1)
      context.addIssue({
        code: "custom",
        path: ["physical_or_virtual"],
        message: "it is said in several ways, and differently",
      });
    if (raw.cli_arguments !== undefined && cli_args !== undefined)
      context.addIssue({
        code: "custom",
        path: ["cli_args"],
        message: "is another name of `cli_arguments`; one of both is enough",
      });
    const cli_arguments = raw.cli_arguments ?? cli_args ?? [];
    const names = cli_arguments.map(({ name }) => name);
    const twice = names.find((name, i) => names.indexOf(name) !== i);
    if (twice !== undefined)
      context.addIssue({
        code: "custom",
        path: ["cli_arguments", names.lastIndexOf(twice), "name"],
        message: `"${twice}" is there twice`,
      });
    return { ...raw, physical_or_virtual: sides[0] ?? ("physical" as const), cli_arguments };
  });
export type ResourceType = z.output<typeof ResourceTypeSchema>;

/** A type with all that it inherits: its own arguments stand over those of its ancestors. `ancestors` are nearest first. */
export function withInherited(type: ResourceType, ancestors: readonly ResourceType[]): ResourceType {
  let all = type;
  for (const ancestor of ancestors) {
    const own = new Set(all.cli_arguments.map(({ name }) => name));
    const strategy = all.sandbox_strategy ?? ancestor.sandbox_strategy;
    const handler = all.handler ?? ancestor.handler;
    all = {
      ...all,
      cli_arguments: [...ancestor.cli_arguments.filter(({ name }) => !own.has(name)), ...all.cli_arguments],
      capabilities: { ...ancestor.capabilities, ...all.capabilities },
      allowed_parent_types: [...new Set([...all.allowed_parent_types, ...ancestor.allowed_parent_types])],
      ...(strategy === undefined ? {} : { sandbox_strategy: strategy }),
      ...(handler === undefined ? {} : { handler }),
    };
  }
  return all;
}
