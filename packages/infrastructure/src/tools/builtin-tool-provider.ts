import {
  type CommandRunner,
  type ToolContext,
  type ToolDescriptor,
  ToolError,
  type ToolProvider,
  type ToolResult,
} from "@cleveragents/application";
import type { JsonObject } from "@cleveragents/domain";
import { askTool } from "./ask.ts";
import type { BuiltinTool } from "./builtin-tool.ts";
import { chmodFileTool } from "./chmod-file.ts";
import { deleteFileTool } from "./delete-file.ts";
import { editFileTool } from "./edit-file.ts";
import { type FetchOptions, fetchTool } from "./fetch.ts";
import { gitTools } from "./git-tools.ts";
import { listFilesTool } from "./list-files.ts";
import { readFileTool } from "./read-file.ts";
import { renameFileTool } from "./rename-file.ts";
import { searchFilesTool } from "./search-files.ts";
import { shellTool } from "./shell.ts";
import { symlinkTool } from "./symlink.ts";
import { writeFileTool } from "./write-file.ts";

const SHELL = "builtin/shell";

export interface BuiltinToolProviderDeps {
  readonly commands: CommandRunner;
  readonly fetch?: FetchOptions;
}

/** The tools that every plan has: files of its sandbox, and commands in it. */
export class BuiltinToolProvider implements ToolProvider {
  readonly #tools: ReadonlyMap<string, BuiltinTool>;

  constructor({ commands, fetch }: BuiltinToolProviderDeps) {
    const tools = [
      readFileTool,
      writeFileTool,
      editFileTool,
      deleteFileTool,
      renameFileTool,
      chmodFileTool,
      symlinkTool,
      listFilesTool,
      searchFilesTool,
      shellTool(commands),
      ...gitTools(commands),
      fetchTool(fetch),
      askTool,
    ];
    this.#tools = new Map(tools.map((tool) => [tool.descriptor.name, tool]));
  }

  list(): readonly ToolDescriptor[] {
    return [...this.#tools.values()].map((tool) => tool.descriptor);
  }

  async call(name: string, args: JsonObject, context: ToolContext): Promise<ToolResult> {
    const tool = this.#tools.get(name);
    if (tool === undefined) throw new ToolError("UNKNOWN_TOOL", `there is no tool ${name}`);
    // A command is not known by what it does: its runner sees to it, or does not start it.
    if (context.readOnly === true && !tool.descriptor.readOnly && name !== SHELL)
      throw new ToolError("READ_ONLY", `${name} would change the sandbox, which can only be read now`);
    if (context.signal.aborted) throw new ToolError("CANCELLED", `${name} was cancelled`);
    return await tool.call(args, context);
  }
}
