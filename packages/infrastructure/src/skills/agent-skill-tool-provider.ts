import {
  type ToolContext,
  type ToolDescriptor,
  ToolError,
  type ToolProvider,
  type ToolResult,
} from "@cleveragents/application";
import type { JsonObject } from "@cleveragents/domain";
import type { BuiltinTool } from "../tools/builtin-tool.ts";
import { ActiveSkills } from "./active-skills.ts";
import { type SkillToolsDeps, skillTools } from "./skill-tools.ts";

/** The tools by which skills are found, loaded and used. Which skills there are is looked at when one is called. */
export class AgentSkillToolProvider implements ToolProvider {
  readonly #tools: ReadonlyMap<string, BuiltinTool>;
  readonly #active = new ActiveSkills();

  constructor(deps: Omit<SkillToolsDeps, "active">) {
    const tools = skillTools({ ...deps, active: this.#active });
    this.#tools = new Map(tools.map((tool) => [tool.descriptor.name, tool]));
  }

  list(): readonly ToolDescriptor[] {
    return [...this.#tools.values()].map(({ descriptor }) => descriptor);
  }

  async call(name: string, args: JsonObject, context: ToolContext): Promise<ToolResult> {
    const tool = this.#tools.get(name);
    if (tool === undefined) throw new ToolError("UNKNOWN_TOOL", `there is no tool ${name}`);
    if (context.signal.aborted) throw new ToolError("CANCELLED", `${name} was cancelled`);
    return await tool.call(args, context);
  }
}
