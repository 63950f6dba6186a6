import { createHash } from "node:crypto";
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join, resolve, sep } from "node:path";
import { RemoteError } from "@cleveragents/protocol";
import { CliError } from "../cli-error.ts";
import type { Invocation } from "../command/command.ts";
import { clean } from "../output/clean.ts";
import type { Diff } from "./apply-summary.ts";
import { filesOfPatch, type PatchedFile, patched, sidesOf } from "./patch-sides.ts";

/**
 * Opens a program of the user on two folders, the changed files before and after, and removes them when it has ended. Files are whole
 * where the project is at hand with what the plan started from; else there is of them what the patch has.
 */
export async function openDiffTool(tool: string, diff: Diff, invocation: Invocation): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), "agents-diff-"));
  try {
    const sides = { before: join(folder, "before"), after: join(folder, "after") };
    for (const side of Object.values(sides)) await mkdir(side);
    await writeSides(diff, sides, invocation);
    const code = await invocation.context.runProgram(tool, { args: [sides.before, sides.after] });
    if (code === undefined)
      throw new CliError("TOOL_NOT_FOUND", `the tool "${clean(tool)}" cannot be started`, {
        hint: "a tool is given two folders: --tool meld, --tool 'code --wait --diff', --tool 'diff -r'",
      });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function writeSides(
  diff: Diff,
  sides: { readonly before: string; readonly after: string },
  invocation: Invocation,
): Promise<void> {
  const { output } = invocation;
  const project = await projectFolder(diff, invocation);
  const [partial, absent]: [string[], string[]] = [[], []];
  for (const file of filesOfPatch(diff.patch ?? "")) {
    const name = file.newPath ?? file.oldPath ?? "";
    const texts = file.binary || name.startsWith('"') ? undefined : await textsOf(file, diff, project);
    if (texts === undefined) absent.push(name);
    else {
      if (!texts.whole) partial.push(name);
      if (file.oldPath !== undefined) await put(sides.before, file.oldPath, texts.before);
      if (file.newPath !== undefined) await put(sides.after, file.newPath, texts.after);
    }
  }
  if (partial.length > 0) output.note(`Only what changes, not the whole file: ${clean(partial.join(", "))}`);
  if (absent.length > 0) output.note(`Not text, and not shown: ${clean(absent.join(", "))}`);
}

async function textsOf(file: PatchedFile, diff: Diff, project: string | undefined) {
  const told = diff.files.find(({ path }) => path === (file.newPath ?? file.oldPath));
  if (file.oldPath === undefined) return { whole: true, ...sidesOf(file) };
  const here = project === undefined ? undefined : inside(project, file.oldPath);
  const bytes = here === undefined ? undefined : await readFile(here).catch(() => undefined);
  const same = bytes !== undefined && createHash("sha256").update(bytes).digest("hex") === told?.old_sha256;
  if (!same) return { whole: false, ...sidesOf(file) };
  const before = bytes.toString("utf8");
  return { whole: true, before, after: patched(before, file) };
}

/** Where the project lies, by what the agent says; nothing if that is another machine's, or is not told. */
async function projectFolder(diff: Diff, { client, options }: Invocation): Promise<string | undefined> {
  try {
    const { path } = await (await client()).call(
      "_cleveragents/registry/project/show",
      { name: diff.diff_summary.project },
      { timeoutMs: options.timeoutMs },
    );
    return path;
  } catch (error) {
    if (RemoteError.is(error)) return undefined;
    throw error;
  }
}

async function put(side: string, path: string, text: string): Promise<void> {
  const file = inside(side, path);
  if (file === undefined) return;
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, text);
}

/** A path of a patch below a folder; a peer's path that leads out of it is none. */
function inside(folder: string, path: string): string | undefined {
  const file = resolve(folder, path);
  return file.startsWith(resolve(folder) + sep) ? file : undefined;
}
