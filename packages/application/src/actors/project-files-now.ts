import {
  type ActorRole,
  type ContextViewName,
  contextViewOf,
  type JsonObject,
  type Plan,
  tokensOf,
} from "@cleveragents/domain";
import type { PlanDeps, Turn } from "../plans/turn.ts";
import type { MindDeps } from "./mind.ts";

const VIEW_OF: Readonly<Record<ActorRole, ContextViewName>> = {
  estimation: "strategize",
  invariant: "strategize",
  strategy: "strategize",
  execution: "execute",
  review: "apply",
};
const HEADING = "Files of the project that were chosen for you to know, as they are now:";
/** Of what is left out that many are named. */
const NAMED = 20;

/** What holds for a role of a plan; undefined where the project says nothing about it. */
export function contextViewFor({ project }: Plan, role: ActorRole) {
  return project.contextConfig && contextViewOf(project.contextConfig, VIEW_OF[role]);
}

/**
 * The files that the plan's project wants models to be told, within what it grants them. One that does not fit any more is
 * named instead, so that it can be read. Undefined where it wants none.
 */
export async function projectFilesNow(
  { contextFiles, workspace }: Pick<MindDeps, "contextFiles"> & Pick<PlanDeps, "workspace">,
  { plan, signal }: Pick<Turn, "plan" | "signal">,
  role: ActorRole,
): Promise<{ readonly text: string; readonly data: JsonObject } | undefined> {
  const view = contextViewFor(plan, role);
  if (contextFiles === undefined || view === undefined || plan.sandbox === undefined) return undefined;
  if (view.include.length === 0) return undefined;
  const sandbox = await workspace.open(plan.planId, plan.project.path, plan.sandbox);
  const read = await contextFiles.read(sandbox, view, signal);
  const told: string[] = [];
  const files: JsonObject[] = [];
  const leftOut = [...read.leftOut];
  let left = view.maxTokens - tokensOf(HEADING);
  for (const { path, text } of read.files) {
    const shown = `--- ${path}\n${text.endsWith("\n") || text === "" ? text : `${text}\n`}`;
    const tokens = tokensOf(shown);
    if (tokens > left) {
      leftOut.push({ path, why: `more than ${view.maxTokens} tokens together` });
      continue;
    }
    left -= tokens;
    told.push(shown);
    files.push({ path, tokens });
  }
  if (files.length + leftOut.length === 0) return undefined;
  const others = leftOut.length - NAMED;
  return {
    text: [
      HEADING,
      ...told,
      ...(leftOut.length === 0
        ? []
        : [
            "Left out for want of room; read them if you need them:",
            ...leftOut.slice(0, NAMED).map(({ path, why }) => `- ${path} (${why})`),
            ...(others > 0 ? [`- ${others} more`] : []),
          ]),
    ].join("\n"),
    data: {
      project_files: files,
      ...(leftOut.length === 0 ? {} : { left_out: leftOut.map((one) => ({ ...one })) }),
    },
  };
}
