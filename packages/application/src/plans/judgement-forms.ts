import type { JsonObject } from "@cleveragents/domain";
import { z } from "zod";
import type { AdviceRequest } from "./decision-source.ts";
import type { Verdict } from "./probing.ts";

const Review = z.object({
  passed: z.boolean().describe("Whether the changes can be applied as they are"),
  summary: z.string().min(1).max(4000),
  findings: z
    .array(
      z.object({
        severity: z.enum(["blocking", "warning", "note"]),
        path: z.string().min(1).max(1000).optional(),
        line: z.number().int().min(1).optional(),
        message: z.string().min(1).max(4000),
      }),
    )
    .max(100)
    .default([]),
});

/** What a reviewer hands in. */
export const reviewForm: AdviceRequest["form"] = {
  name: "submit_review",
  description: "Hand in your review. Call it once, when you have seen enough.",
  schema: Review as unknown as z.ZodType<JsonObject>, // what it lets through is plain JSON
  problem(value) {
    const { passed, findings } = Review.parse(value);
    const blocking = findings.some(({ severity }) => severity === "blocking");
    if (passed && blocking) return "passed is true, and there is a blocking finding";
    if (!passed && !blocking) return "passed is false, and no finding is blocking";
    return undefined;
  },
};

export function reviewVerdict(answer: JsonObject): Verdict {
  const { passed, summary, findings } = Review.parse(answer);
  return { passed, message: summary, data: JSON.parse(JSON.stringify({ findings })) as JsonObject };
}

const Judgements = z.object({
  judgements: z
    .array(z.object({ id: z.string().min(1), holds: z.boolean(), reason: z.string().min(1).max(4000) }))
    .max(500),
});

/** What a judge of these invariants hands in: something about each of them, and of no other. */
export function invariantForm(ids: readonly string[]): AdviceRequest["form"] {
  return {
    name: "submit_judgements",
    description: "Hand in your judgement of each invariant. Call it once.",
    schema: Judgements as unknown as z.ZodType<JsonObject>, // what it lets through is plain JSON
    problem(value) {
      const said = Judgements.parse(value).judgements.map(({ id }) => id);
      const missing = ids.filter((id) => !said.includes(id));
      const unknown = said.filter((id) => !ids.includes(id));
      if (missing.length > 0) return `there is nothing about ${missing.join(", ")}`;
      if (unknown.length > 0) return `there is no invariant ${unknown.join(", ")}`;
      return said.length === ids.length ? undefined : "an invariant is judged twice";
    },
  };
}

export function judgementOn(answer: JsonObject, id: string): Verdict {
  const found = Judgements.parse(answer).judgements.find((judgement) => judgement.id === id);
  return found === undefined
    ? { passed: false, message: "nothing was said about it" }
    : { passed: found.holds, message: found.reason };
}
