import { z } from "zod";
import { NameSchema } from "../action/action-schema.ts";
import type { DocumentProblem } from "../names/registry-errors.ts";
import type { ResourceArgument, ResourceType } from "./resource-type-schema.ts";

const Value = z.union([z.string(), z.number(), z.boolean()]);

/** The YAML of a resource. */
export const ResourceSchema = z.strictObject({
  name: NameSchema,
  type: z.string().min(1),
  description: z.string().optional(),
  /** What its type asks for. */
  arguments: z.record(z.string(), Value).default({}),
  /** Resources that it is a part of. */
  parents: z.array(NameSchema).default([]),
});
export type Resource = z.output<typeof ResourceSchema>;

/** A resource with its type's defaults filled in and text read as its type wants it, or what is wrong with it. */
export function bindResource(
  resource: Resource,
  type: ResourceType,
): { readonly resource: Resource; readonly problems: readonly DocumentProblem[] } {
  const problems: DocumentProblem[] = [];
  const bound: Record<string, string | number | boolean> = {};
  const known = new Set(type.cli_arguments.map(({ name }) => name));
  for (const name of Object.keys(resource.arguments))
    if (!known.has(name))
      problems.push({
        path: `arguments.${name}`,
        problem: `${type.name} has no argument "${name}"${known.size === 0 ? "" : `; known are ${[...known].join(", ")}`}`,
      });
  for (const argument of type.cli_arguments) {
    const { name } = argument;
    const given = resource.arguments[name] ?? argument.default;
    if (given === undefined) {
      if (argument.required)
        problems.push({ path: "arguments", problem: `${type.name} needs the argument "${name}"` });
      continue;
    }
    const value = read(argument, given);
    if (typeof value === "object") problems.push({ path: `arguments.${name}`, problem: value.problem });
    else bound[name] = value;
  }
  return { resource: { ...resource, arguments: bound }, problems };
}

function read(
  { type, validation_pattern }: ResourceArgument,
  given: string | number | boolean,
): string | number | boolean | { readonly problem: string } {
  const text = String(given);
  if (validation_pattern !== undefined && !new RegExp(validation_pattern, "u").test(text))
    return { problem: `does not match ${validation_pattern}` };
  switch (type) {
    case "integer": {
      const number = typeof given === "string" && given.trim() !== "" ? Number(given) : given;
      return Number.isSafeInteger(number) ? (number as number) : { problem: `not an integer: ${text}` };
    }
    case "boolean":
      return text === "true" ? true : text === "false" ? false : { problem: `not true or false: ${text}` };
    case "url":
      return /^\S+:\S+$/.test(text) ? text : { problem: "not a URL" };
    case "path":
      return text.startsWith("/") && !text.includes("\0") ? text : { problem: "not an absolute path" };
    case "string":
      return text;
  }
}
