import { mkdir } from "node:fs/promises";
import path from "node:path";
import type { CommandRunner, Sandbox } from "@cleveragents/application";
import type { McpServer } from "@cleveragents/domain";
import type { ServerProcess, ServerRequest, ServerStarter } from "../process/server-process.ts";
import { SandboxPathRewriter } from "./sandbox-path-rewriter.ts";

/** Where a server is started, and how it sees the project. */
export interface ServerPlace {
  open(signal: AbortSignal): Promise<ServerProcess>;
  /** Directories that it works in, as it sees them. */
  readonly roots: readonly string[];
  /** What turns paths for it; absent where it sees what everybody speaks of. */
  readonly rewriter?: SandboxPathRewriter;
}

/** Starts servers, and says what this host can enforce. */
export type Processes = ServerStarter & Pick<CommandRunner, "probe">;

export interface PlaceDeps {
  readonly processes: Processes;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Of ours: servers that belong to no plan are started in a folder of their own there. */
  readonly folder: string;
}

/** Stands for the project's directory, as the server sees it. */
const PROJECT = /\{\{\s*project\s*\}\}/g;

/** In the sandbox of a plan: what it writes is part of the plan, and the host is out of its reach where that can be. */
export async function placeInPlan(
  deps: PlaceDeps,
  server: McpServer,
  sandbox: Pick<Sandbox, "root" | "projectRoot">,
  readOnly: boolean,
): Promise<ServerPlace> {
  const { root, projectRoot } = sandbox;
  const isMoved = (await deps.processes.probe()).level !== "none";
  const seen = isMoved ? projectRoot : root;
  return {
    open: (signal) =>
      deps.processes.open({
        ...commandOf(deps, server, seen),
        root,
        projectRoot,
        ...(server.cwd === undefined ? {} : { cwd: path.relative(root, path.resolve(root, server.cwd)) }),
        network: server.network,
        readOnly,
        confined: true,
        signal,
      }),
    roots: [seen],
    ...(isMoved ? {} : { rewriter: new SandboxPathRewriter({ sandboxRoot: root, hostRoot: projectRoot }) }),
  };
}

/** Outside of every sandbox, or in an empty one of its own when `confined`. */
export function placeApart(deps: PlaceDeps, server: McpServer, confined: boolean): ServerPlace {
  const root = path.join(deps.folder, server.name.replaceAll(/[^A-Za-z0-9_-]/g, "-"));
  return {
    async open(signal) {
      await mkdir(root, { recursive: true, mode: 0o700 });
      return await deps.processes.open({
        ...commandOf(deps, server, root),
        root,
        projectRoot: root,
        network: !confined || server.network,
        confined,
        signal,
      });
    },
    roots: [],
  };
}

function commandOf(
  deps: PlaceDeps,
  server: McpServer,
  project: string,
): Pick<ServerRequest, "command" | "env" | "readable"> {
  const home = deps.env["HOME"] ?? "~";
  const fill = (text: string): string =>
    text.replace(PROJECT, () => project).replace(/^~(?=\/|$)/, () => home);
  const given = Object.entries(server.env).map(([name, value]) => [name, fill(value)]);
  const handedOn = server.env_from.flatMap((name) => {
    const value = deps.env[name];
    return value === undefined ? [] : [[name, value]];
  });
  return {
    command: [fill(server.command ?? ""), ...server.args.map(fill)],
    env: { ...Object.fromEntries(handedOn), ...Object.fromEntries(given) },
    readable: server.readable.map(fill),
  };
}
