import {
  type JsonObject,
  type Part,
  type Plan,
  type PlanStep,
  pathsAgainst,
  type RemoteShows,
} from "@cleveragents/domain";
import { factsOf } from "../plans/guarding-call.ts";
import { environmentOf } from "../plans/run-step.ts";
import type { PlanDeps, Turn } from "../plans/turn.ts";

type Deps = Pick<PlanDeps, "tools" | "workspace">;
type Now = Pick<Turn, "signal">;

/** Files of a project that are looked through. */
const LISTED = 10_000;
/** Paths that are told. */
const NAMED = 500;

/** What of its project a plan tells somebody elsewhere: paths, and which files go along. */
interface Shown {
  readonly names?: { readonly paths: readonly string[]; readonly total: number };
  readonly files: readonly string[];
}

/** By the actor's own `shows`; of several files those that the words name come first. Nothing before there is a copy. */
export async function shownOf(
  deps: Deps,
  now: Now,
  plan: Plan,
  shows: RemoteShows | undefined,
  words: string,
): Promise<Shown> {
  if (shows === undefined || plan.sandbox === undefined) return { files: [] };
  const all = await listed(deps, now, plan);
  const among = (globs: readonly string[]) => {
    if (globs.length === 0) return [];
    const against = new Set(pathsAgainst({ allow: [...globs] }, all));
    return all.filter((path) => !against.has(path));
  };
  const names = among(shows.names);
  const files = among(shows.files);
  const named = files.filter((path) => words.includes(path));
  const others = files.filter((path) => !words.includes(path));
  return {
    files: [...named, ...others].slice(0, shows.most_files),
    ...(shows.names.length === 0 ? {} : { names: { paths: names.slice(0, NAMED), total: names.length } }),
  };
}

/** The files as they are now, as far as they fit; one that a guard keeps back, or that is gone, is left out. */
export async function partsOf(
  deps: Deps,
  now: Now,
  plan: Plan,
  paths: readonly string[],
  shows: RemoteShows,
): Promise<readonly Part[]> {
  const parts: Part[] = [];
  let left = shows.most_bytes;
  for (const path of paths) {
    const read = await look(deps, now, plan, "builtin/read_file", { path });
    const size = Number(read?.["size"] ?? Number.POSITIVE_INFINITY);
    if (read === undefined || size > left) continue;
    left -= size;
    const content = String(read["content"]);
    parts.push(
      read["encoding"] === "base64"
        ? { kind: "bytes", bytes: content, filename: path, mediaType: "application/octet-stream" }
        : { kind: "text", text: content, filename: path, mediaType: "text/plain" },
    );
  }
  return parts;
}

async function listed(deps: Deps, now: Now, plan: Plan): Promise<readonly string[]> {
  const found = await look(deps, now, plan, "builtin/list_files", { recursive: true, limit: LISTED });
  const entries = (found?.["entries"] ?? []) as { readonly path: string; readonly type: string }[];
  return entries.flatMap(({ path, type }) => (type === "file" ? [path] : []));
}

/** By the same guards as every call; what they do not let pass at once is not shown. */
async function look(
  { tools, workspace }: Deps,
  { signal }: Now,
  plan: Plan,
  tool: string,
  args: JsonObject,
): Promise<JsonObject | undefined> {
  const call = { callId: `a${plan.attempt}:shown:${tool}`, tool, args };
  const step: PlanStep = { index: -1, kind: "look", label: tool, status: "pending" };
  const facts = await factsOf(plan, step, call, tools.find(tool));
  const { sandbox } = plan;
  if (sandbox === undefined) return undefined;
  const copy = await workspace.open(plan.planId, plan.project.path, sandbox);
  const outcome = await tools.run(
    call,
    { planId: plan.planId, sandbox: copy, signal, network: false, readOnly: true, ...environmentOf(plan) },
    facts,
    { before: async () => undefined, denied: async () => undefined, after: async () => undefined },
  );
  signal.throwIfAborted();
  return "ok" in outcome && outcome.ok ? outcome.result.value : undefined;
}
