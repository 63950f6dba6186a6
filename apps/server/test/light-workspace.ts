import { createHash } from "node:crypto";
import {
  type ComparedTrees,
  type DerivedFrom,
  type MergedTrees,
  type Sandbox,
  type ToolDescriptor,
  ToolError,
  type ToolProvider,
  type ToolResult,
  type TreesToMerge,
  type Workspace,
  WorkspaceError,
} from "@cleveragents/application";
import { canonicalChangeset, type FileChange, statsOf } from "@cleveragents/domain";
import type { ComposeOptions } from "../src/compose.ts";
import { type Alter, type Altered, openAltered } from "./altered-server.ts";

type Files = ReadonlyMap<string, string>;

/**
 * Projects and sandboxes as maps, and the builtin tools on them: nothing of git, files or processes, for tests that
 * make very many plans. It outlives a kill of the product, as a disk does.
 */
export class LightWorkspace {
  readonly project = new Map<string, string>();
  readonly #trees = new Map<string, Files>();
  readonly #sandboxes = new Map<string, Map<string, string>>();
  readonly #bases = new Map<string, string>();
  /** Trees that are kept for a plan: those of its copy, and what another one has left for it. */
  readonly #kept = new Map<string, Set<string>>();

  /** Of what a workspace does, that which plans of scripts come by. */
  readonly workspace = {
    inspect: async (path: string) => ({ root: path, kind: "plain", warnings: [] }),
    create: async (planId: string, projectRoot: string) => {
      this.#sandboxes.set(planId, new Map(this.project));
      this.#bases.set(planId, this.#keep(this.project, planId));
      return this.#open(planId, projectRoot);
    },
    derive: async (planId: string, { projectRoot, tree }: DerivedFrom) => {
      this.#sandboxes.set(planId, new Map(this.#trees.get(tree)));
      this.#bases.set(planId, tree);
      return this.#open(planId, projectRoot);
    },
    keep: async (planId: string, _root: string, tree: string) => void this.#keptFor(planId).add(tree),
    merge: async (_sandbox: unknown, planId: string, trees: TreesToMerge) => this.#merged(planId, trees),
    open: async (planId: string, projectRoot: string) => {
      if (!this.#sandboxes.has(planId)) throw new WorkspaceError("SANDBOX_GONE", "the sandbox is gone");
      return this.#open(planId, projectRoot);
    },
    drift: async () => [],
    check: async () => [],
    apply: async (
      _target: unknown,
      { toTree, planId }: { readonly toTree: string; readonly planId: string },
    ) => {
      const base = this.#trees.get(this.#bases.get(planId) ?? "") ?? new Map();
      const to = this.#trees.get(toTree) ?? new Map();
      const changed = changesOf(base, to);
      for (const { path, after } of changed)
        if (after === null) this.project.delete(path);
        else this.project.set(path, to.get(path) ?? "");
      return { written: changed.length, deleted: 0 };
    },
    undo: async () => undefined,
    recover: async () => [],
    holdings: async () => [...this.#sandboxes.keys()],
    heldSince: async () => undefined,
    weigh: async () => ({ bytes: 0, files: 0 }),
    release: async (planId: string) => {
      this.#sandboxes.delete(planId);
      return true;
    },
    tidy: async () => undefined,
  } as unknown as Workspace;

  tools(builtin: ToolProvider): ToolProvider {
    return {
      list: (): readonly ToolDescriptor[] => builtin.list(),
      call: async (name, args, { planId }) => {
        const files = this.#sandboxes.get(planId);
        if (files === undefined) throw new ToolError("SANDBOX_GONE", "the sandbox is gone");
        const path = String(args["path"]);
        if (name === "builtin/write_file") files.set(path, String(args["content"]));
        if (name === "builtin/shell") return run(String(args["command"]), files);
        return { value: { content: files.get(path) ?? "" }, summary: `${name} ${path}` };
      },
    };
  }

  /** Whole files: a light project has no texts that could be merged. */
  #merged(planId: string, { base, ours, theirs, side }: TreesToMerge): MergedTrees {
    // With the plan that has made it a tree may be gone at any time, unless it is kept for this one.
    if (!this.#keptFor(planId).has(theirs)) throw new Error(`nobody keeps ${theirs} for ${planId}`);
    const [from, mine, other] = [base, ours, theirs].map((tree) => this.#trees.get(tree) ?? new Map());
    const files = new Map(mine);
    const conflicts: MergedTrees["conflicts"][number][] = [];
    for (const { path } of changesOf(from as Files, other as Files)) {
      const [was, now, wanted] = [from?.get(path), mine?.get(path), other?.get(path)];
      if (now !== was && now !== wanted && side === undefined)
        conflicts.push({ path, why: "both changed it" });
      else if (now !== was && now !== wanted && side === "ours") continue;
      else if (wanted === undefined) files.delete(path);
      else files.set(path, wanted);
    }
    return { tree: this.#keep(files, planId), merged: [], conflicts };
  }

  #keptFor(planId: string): Set<string> {
    const kept = this.#kept.get(planId) ?? new Set();
    this.#kept.set(planId, kept);
    return kept;
  }

  #keep(files: Files, planId: string): string {
    const copy = new Map([...files].sort(([a], [b]) => (a < b ? -1 : 1)));
    const tree = sha256(JSON.stringify([...copy]));
    this.#trees.set(tree, copy);
    this.#keptFor(planId).add(tree);
    return tree;
  }

  #open(planId: string, projectRoot: string): Sandbox {
    const files = () => {
      const found = this.#sandboxes.get(planId);
      if (found === undefined) throw new Error("the sandbox is gone");
      return found;
    };
    const baseTree = this.#bases.get(planId) ?? "";
    return {
      state: { kind: "plain", ref: {}, warnings: [] },
      root: `/sandbox/${planId}`,
      projectRoot,
      baseTree,
      checkpoint: async () => this.#keep(files(), planId),
      restore: async (tree) => {
        files().clear();
        for (const [path, content] of this.#trees.get(tree) ?? []) files().set(path, content);
      },
      compare: async (from = baseTree, to = this.#keep(files(), planId)) => this.#compared(from, to),
      dispose: async () => void this.#sandboxes.delete(planId),
    };
  }

  #compared(from: string, to: string): ComparedTrees {
    const files = changesOf(this.#trees.get(from) ?? new Map(), this.#trees.get(to) ?? new Map());
    return {
      from,
      to,
      changeset: { version: 1, files, stats: statsOf(files), risks: [] },
      digest: `sha256:${sha256(canonicalChangeset(files))}`,
      patch: async () => files.map(({ path }) => path).join("\n"),
    };
  }
}

/** The few words of a shell that tests of plans speak, one after the other; the last one's outcome counts. */
function run(command: string, files: Map<string, string>): ToolResult {
  let stdout = "";
  let exitCode = 0;
  for (const part of command.split(";")) {
    const [word = "", ...rest] = part.trim().split(/\s+/);
    const path = rest.at(-1) ?? "";
    exitCode = 0;
    if (word === "touch") files.set(path, "");
    else if (word === "echo") stdout += `${rest.join(" ")}\n`;
    else if (word === "test") exitCode = files.has(path) === (rest[0] !== "!") ? 0 : 1;
    else if (word === "exit") exitCode = Number(path);
    else if (word === "false") exitCode = 1;
  }
  if (exitCode !== 0)
    throw new ToolError("COMMAND_FAILED", `\`${command}\` ended with exit code ${exitCode}`, {
      stdout,
      stderr: "",
    });
  return { value: { exitCode, stdout, stderr: "" }, summary: `ran \`${command}\` (exit code 0)` };
}

/** A product whose plans touch neither git nor files, and whose tools may be altered. */
export async function openLight(
  alter: (tools: ToolProvider) => ToolProvider = (tools) => tools,
  options: Partial<ComposeOptions> = {},
  more: Alter = () => ({}),
): Promise<Altered & { readonly disk: LightWorkspace }> {
  const disk = new LightWorkspace();
  const server = await openAltered((adapters) => {
    const builtin = adapters.toolProviders.find((provider) =>
      provider.list().some(({ name }) => name === "builtin/write_file"),
    );
    if (builtin === undefined) throw new Error("there are no tools to stand in for");
    return {
      ...more(adapters),
      workspace: disk.workspace,
      toolProviders: [alter(disk.tools(builtin))],
    };
  }, options);
  return Object.assign(server, { disk });
}

function changesOf(before: Files, after: Files): FileChange[] {
  const side = (text: string | undefined) =>
    text === undefined ? null : { mode: "100644" as const, sha256: sha256(text), size: text.length };
  return [...new Set([...before.keys(), ...after.keys()])]
    .filter((path) => before.get(path) !== after.get(path))
    .sort()
    .map((path) => ({
      path,
      op: before.has(path) ? (after.has(path) ? "modify" : "delete") : "create",
      before: side(before.get(path)),
      after: side(after.get(path)),
      binary: false,
      insertions: 1,
      deletions: 0,
    }));
}

function sha256(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}
