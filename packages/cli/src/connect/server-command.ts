import { accessSync, constants, readFileSync, statSync } from "node:fs";
import { createRequire } from "node:module";
import { delimiter, dirname, join } from "node:path";
import { CliError } from "../cli-error.ts";

const SERVER = "cleveragents-server";

/** A program and the arguments that come before any mode of it. */
export interface ServerCommand {
  readonly command: string;
  readonly args: readonly string[];
}

export interface ServerCommandDeps {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The Node that runs this. */
  readonly execPath: string;
  /** URL of a module of this package; `@cleveragents/server` is looked for from there. */
  readonly selfUrl: string;
}

/**
 * How to start the server: CLEVERAGENTS_AGENT_COMMAND, else the package `@cleveragents/server` beside this one, else
 * `cleveragents-server` on the PATH. Throws SERVER_NOT_FOUND.
 */
export function findServerCommand({ env, execPath, selfUrl }: ServerCommandDeps): ServerCommand {
  const configured = env["CLEVERAGENTS_AGENT_COMMAND"]?.trim();
  if (configured !== undefined && configured !== "") {
    const words = isFile(configured) ? [configured] : splitWords(configured);
    return withNode(words[0] ?? configured, words.slice(1), execPath);
  }
  const installed = installedBin(selfUrl);
  if (installed !== undefined) return withNode(installed, [], execPath);
  for (const dir of (env["PATH"] ?? "").split(delimiter)) {
    const candidate = join(dir, SERVER);
    if (dir !== "" && isExecutable(candidate)) return { command: candidate, args: [] };
  }
  throw new CliError("SERVER_NOT_FOUND", "the agent's program is not installed", {
    hint: "npm install -g @cleveragents/server, set CLEVERAGENTS_AGENT_COMMAND, or name a server with --server URL",
  });
}

/** JavaScript is run by this very Node, so that a fitting one is used whatever the PATH says. */
function withNode(program: string, args: readonly string[], execPath: string): ServerCommand {
  return /\.[cm]?[jt]s$/.test(program)
    ? { command: execPath, args: [program, ...args] }
    : { command: program, args };
}

function installedBin(selfUrl: string): string | undefined {
  try {
    const manifest = createRequire(selfUrl).resolve("@cleveragents/server/package.json");
    const { bin } = JSON.parse(readFileSync(manifest, "utf8")) as { bin?: string | Record<string, string> };
    const relative = typeof bin === "string" ? bin : bin?.[SERVER];
    return relative === undefined ? undefined : join(dirname(manifest), relative);
  } catch {
    return undefined;
  }
}

/** Words as a shell splits them, with single and double quotes and no expansion. */
export function splitWords(text: string): string[] {
  return [...text.matchAll(/(?:[^\s"']+|"(?:[^"\\]|\\.)*"|'[^']*')+/g)].map(([word]) =>
    word.replace(
      /"((?:[^"\\]|\\.)*)"|'([^']*)'/g,
      (_, double?: string, single?: string) => double?.replace(/\\(.)/g, "$1") ?? single ?? "",
    ),
  );
}

function isFile(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isFile() === true;
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return isFile(path);
  } catch {
    return false;
  }
}
