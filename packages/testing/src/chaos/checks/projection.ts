import { isDeepStrictEqual } from "node:util";
import type { Artifact, Part } from "@cleveragents/domain";
import type { TaskRecord } from "../task-record.ts";

/** The row and the artifacts are what the log says, folded event by event. */
export function checkProjection(record: TaskRecord): readonly string[] {
  const { taskId, events } = record;
  const problems: string[] = [];
  const differs = (what: string, stored: unknown, folded: unknown) => {
    if (!isDeepStrictEqual(plain(stored), plain(folded)))
      problems.push(
        `task ${taskId}: its ${what} is ${JSON.stringify(stored)}, its log says ${JSON.stringify(folded)}`,
      );
  };
  const newest = events.findLast(({ event }) => event.type === "status")?.event;
  const status = newest?.type === "status" ? newest : undefined;
  differs("sequence", record.lastSeq, events.at(-1)?.seq ?? 0);
  differs("state", record.state, status?.state ?? "submitted");
  differs("status message", record.statusMessage, status?.message ?? null);
  differs("artifacts", record.artifacts.map(essence), foldArtifacts(record).map(essence));
  return problems;
}

/** Artifacts from chunks alone, in the order of their first appearance. */
export function foldArtifacts({ events }: Pick<TaskRecord, "events">): readonly Artifact[] {
  const artifacts = new Map<string, { artifact: Artifact; parts: Part[] }>();
  for (const { event } of events) {
    if (event.type !== "artifact") continue;
    const { artifact, append } = event;
    const there = artifacts.get(artifact.artifactId);
    const parts = append && there !== undefined ? [...there.parts, ...artifact.parts] : [...artifact.parts];
    artifacts.set(artifact.artifactId, { artifact, parts });
  }
  return [...artifacts.values()].map(({ artifact, parts }) => ({ ...artifact, parts }));
}

function essence({ artifactId, name, parts }: Artifact) {
  return { artifactId, name, parts };
}

function plain(value: unknown): unknown {
  return value === undefined ? undefined : JSON.parse(JSON.stringify(value));
}
