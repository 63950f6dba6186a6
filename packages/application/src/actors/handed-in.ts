import { type JsonObject, type Part, textOf } from "@cleveragents/domain";
import type { AdviceRequest } from "../plans/decision-source.ts";
import type { RemoteAnswer } from "./remote-answer.ts";

/** What is handed in where nobody offers a tool for it: a form, by its schema and what holds it together. */
export type Form = Pick<AdviceRequest["form"], "schema" | "problem">;

type HandedIn = { readonly answer: JsonObject } | { readonly problem: string };

/** The first of several values that is what was asked for; else what is missing, of the one that is nearest to it. */
export function handedIn(candidates: readonly unknown[], { schema, problem: holds }: Form): HandedIn {
  let nearest: { readonly problem: string; readonly fits: number } | undefined;
  for (const candidate of candidates.filter(isObject)) {
    const read = schema.safeParse(candidate);
    if (read.success) {
      const problem = holds?.(read.data);
      if (problem === undefined) return { answer: read.data };
      nearest = { problem, fits: Number.POSITIVE_INFINITY };
      continue;
    }
    const { issues } = read.error;
    const missing = issues.filter(({ path }) => path.length <= 1).length;
    const fits = Object.keys(candidate).length - missing;
    if (nearest !== undefined && nearest.fits >= fits) continue;
    const told = issues.map(({ path, message }) => `${path.join(".") || "the answer"}: ${message}`);
    nearest = { problem: told.slice(0, 5).join("; "), fits };
  }
  return { problem: nearest?.problem ?? "it has neither a data part nor JSON in its text" };
}

/** Everything in an answer from elsewhere that may be it: its data, and JSON in its texts. */
export function candidatesIn({ parts, artifacts }: Pick<RemoteAnswer, "parts" | "artifacts">): unknown[] {
  const all: readonly Part[] = [...artifacts.flatMap((artifact) => artifact.parts), ...parts];
  return [
    ...all.flatMap((part) => (part.kind === "data" ? [part.data] : [])),
    ...artifacts.flatMap((artifact) => jsonIn(textOf(artifact))),
    ...jsonIn(textOf({ parts })),
  ];
}

/** The whole text as JSON, and what stands in it between code fences. */
export function jsonIn(text: string): unknown[] {
  const fenced = [...text.matchAll(/```(?:json)?\s*\n([\s\S]*?)```/g)].map(([, inner]) => inner as string);
  return [text, ...fenced].flatMap((one) => {
    try {
      return [JSON.parse(one) as unknown];
    } catch {
      return [];
    }
  });
}

export function isObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
