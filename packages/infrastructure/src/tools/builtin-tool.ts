import { type ToolContext, type ToolDescriptor, ToolError, type ToolResult } from "@cleveragents/application";
import type { JsonObject } from "@cleveragents/domain";
import type { z } from "zod";
import { jsonSchemaOf } from "./json-schema-of.ts";

export interface BuiltinTool {
  readonly descriptor: ToolDescriptor;
  call(args: JsonObject, context: ToolContext): Promise<ToolResult>;
}

interface Definition<S extends z.ZodType>
  extends Pick<
      ToolDescriptor,
      "name" | "description" | "readOnly" | "idempotent" | "effect" | "commandOf" | "networkOf"
    >,
    Partial<Pick<ToolDescriptor, "source">> {
  readonly input: S;
  run(args: z.output<S>, context: ToolContext): Promise<ToolResult>;
}

/** Joins a tool's description with what it does, typed by its schema. */
export function defineTool<S extends z.ZodType>({ input, run, ...rest }: Definition<S>): BuiltinTool {
  return {
    // A cast, because an optional key of a schema's output may be `undefined` for the compiler; a parsed one is absent.
    descriptor: {
      source: "builtin",
      ...rest,
      input: input as unknown as z.ZodType<JsonObject>,
      get inputSchema() {
        return jsonSchemaOf(input);
      },
    },
    async call(args, context) {
      const parsed = input.safeParse(args);
      if (!parsed.success) {
        const problems = parsed.error.issues.map(
          (issue) => `${issue.path.join(".") || "arguments"}: ${issue.message}`,
        );
        throw new ToolError("INVALID_ARGUMENTS", problems.join("; "));
      }
      return await run(parsed.data, context);
    },
  };
}
