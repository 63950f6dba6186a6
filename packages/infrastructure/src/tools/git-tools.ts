import { type CommandRunner, type ToolContext, ToolError, type ToolResult } from "@cleveragents/application";
import { z } from "zod";
import { type BuiltinTool, defineTool } from "./builtin-tool.ts";
import { confine } from "./confine.ts";
import { runCommand } from "./shell.ts";

const Path = z.string().min(1).max(4000);
/** Nothing that git could take for an option or a path. */
const Revision = z
  .string()
  .max(200)
  .regex(/^(?!.*\.\.\.\.)[A-Za-z0-9@][A-Za-z0-9@._/~^{}+-]*$/, "a revision, such as HEAD or main~1");
const MaxLines = z.number().int().min(1).max(2000).default(500);

/** Programs that a repository could name are not started, and its index is not written. */
const GIT = [
  "git",
  "--no-pager",
  "--no-optional-locks",
  ...["core.fsmonitor=false", "core.hooksPath=/dev/null", "color.ui=never", "core.quotePath=false"].flatMap(
    (setting) => ["-c", setting],
  ),
];
const NO_PROGRAMS = ["--no-ext-diff", "--no-textconv"];

const READS = { readOnly: true, idempotent: true, effect: "none" } as const;
const WHERE =
  "It looks at the plan's own copy, whose repository has the project's HEAD as its only commit; the user's repository is not touched.";

/** What git can tell of the plan's copy. */
export function gitTools(commands: CommandRunner): readonly BuiltinTool[] {
  const git = async (
    args: readonly string[],
    context: ToolContext,
    maxLines: number,
  ): Promise<ToolResult> => {
    const { stdout } = await runCommand(
      commands,
      { command: [...GIT, ...args], env: {}, timeout: 60, expect: [0] },
      context,
    ).catch((error: unknown) => {
      throw inWords(error);
    });
    const lines = stdout.replace(/\n$/, "").split("\n");
    const shown = stdout === "" ? [] : lines.slice(0, maxLines);
    const truncated = lines.length > maxLines;
    return {
      value: { output: shown.join("\n"), lines: stdout === "" ? 0 : lines.length, truncated },
      summary: `git ${args[0]} (${shown.length}${truncated ? ` of ${lines.length}` : ""} lines)`,
    };
  };
  const pathArgs = async (path: string | undefined, { sandbox }: ToolContext): Promise<string[]> =>
    path === undefined ? [] : ["--", `:(literal)${(await confine(sandbox, path, "entry")).relative}`];

  return [
    defineTool({
      name: "builtin/git_status",
      description: `Files that differ from HEAD, one a line as \`git status --short\` has them. ${WHERE}`,
      input: z.strictObject({ path: Path.optional(), max_lines: MaxLines }),
      ...READS,
      run: async ({ path, max_lines }, context) =>
        git(
          ["status", "--short", "--branch", "--untracked-files=all", ...(await pathArgs(path, context))],
          context,
          max_lines,
        ),
    }),
    defineTool({
      name: "builtin/git_diff",
      description: `The changes since a revision (HEAD when absent) as a patch, or as figures with \`stat\`. ${WHERE}`,
      input: z.strictObject({
        path: Path.optional(),
        revision: Revision.default("HEAD"),
        stat: z.boolean().default(false),
        max_lines: MaxLines,
      }),
      ...READS,
      run: async ({ path, revision, stat, max_lines }, context) =>
        git(
          ["diff", ...NO_PROGRAMS, ...(stat ? ["--stat"] : []), revision, ...(await pathArgs(path, context))],
          context,
          max_lines,
        ),
    }),
    defineTool({
      name: "builtin/git_log",
      description: `Commits, newest first. ${WHERE}`,
      input: z.strictObject({
        path: Path.optional(),
        revision: Revision.default("HEAD"),
        count: z.number().int().min(1).max(200).default(20),
      }),
      ...READS,
      run: async ({ path, revision, count }, context) =>
        git(
          [
            "log",
            `--max-count=${count}`,
            "--date=iso-strict",
            "--format=%H %ad %an%n    %s",
            revision,
            ...(await pathArgs(path, context)),
          ],
          context,
          2000,
        ),
    }),
    defineTool({
      name: "builtin/git_show",
      description: `A commit with its patch, or with \`path\` the file as it was at a revision. ${WHERE}`,
      input: z.strictObject({
        revision: Revision.default("HEAD"),
        path: Path.optional(),
        max_lines: MaxLines,
      }),
      ...READS,
      async run({ path, revision, max_lines }, context) {
        if (path === undefined)
          return git(["show", ...NO_PROGRAMS, "--format=medium", revision], context, max_lines);
        const { relative } = await confine(context.sandbox, path, "entry");
        return git(["show", ...NO_PROGRAMS, `${revision}:./${relative}`], context, max_lines);
      },
    }),
    defineTool({
      name: "builtin/git_blame",
      description: `Who has last changed each line of a file. ${WHERE}`,
      input: z.strictObject({
        path: Path,
        revision: Revision.optional(),
        start_line: z.number().int().min(1).default(1),
        max_lines: MaxLines,
      }),
      ...READS,
      run: async ({ path, revision, start_line, max_lines }, context) =>
        git(
          [
            "blame",
            "--date=short",
            `-L${start_line},+${max_lines}`,
            ...(revision === undefined ? [] : [revision]),
            "--",
            (await confine(context.sandbox, path, "entry")).relative,
          ],
          context,
          max_lines,
        ),
    }),
  ];
}

function inWords(error: unknown): unknown {
  if (!(error instanceof ToolError) || error.reason !== "COMMAND_FAILED") return error;
  const said = String(error.details["stderr"] ?? "");
  if (/not a git repository/i.test(said))
    return new ToolError("NOT_A_REPOSITORY", "the project is no git repository", {}, { cause: error });
  const [line = ""] = said.trim().split("\n");
  return new ToolError("GIT_FAILED", line === "" ? error.message : line, {}, { cause: error });
}
