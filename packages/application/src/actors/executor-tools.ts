import type { JsonObject, SaidCall } from "@cleveragents/domain";
import { z } from "zod";
import { own } from "./submit-strategy.ts";

export const ASK_USER = "ask_user";
export const RECORD_DECISION = "record_decision";

export const askUserTool = own(
  ASK_USER,
  "Ask the user a question and wait for the answer. Only for what you cannot find out yourself.",
  z.object({
    question: z.string().min(1).max(4000),
    options: z
      .array(z.string().min(1))
      .max(10)
      .default([])
      .describe("Answers to choose from, if there are any"),
  }),
);

export const recordDecisionTool = own(
  RECORD_DECISION,
  "Note that you have chosen between ways that differ for the user, so that they can correct it.",
  z.object({
    question: z.string().min(1),
    alternatives: z
      .array(z.object({ id: z.string().min(1), description: z.string().default("") }))
      .default([]),
    choice: z.string().min(1),
    confidence: z.number().min(0).max(1).default(1),
    rationale: z.string().min(1),
  }),
);

/** What people see of a call: the tool, and what tells it apart from others of it. */
export function stepLabelOf({ name, args = {} }: SaidCall): string {
  const subject = ["path", "command", "pattern", "query", "url", "question", "from", "name"]
    .map((key) => textOf(args, key))
    .find((text) => text !== undefined);
  if (name === ASK_USER) return `ask: ${subject ?? ""}`;
  return subject === undefined ? name : `${name} ${subject}`;
}

function textOf(args: JsonObject, key: string): string | undefined {
  const value = args[key];
  const text = Array.isArray(value) ? value.join(" ") : value;
  if (typeof text !== "string" || text.trim() === "") return undefined;
  const [line = ""] = text.trim().split("\n", 1);
  return line.length > 120 ? `${line.slice(0, 119)}…` : line;
}
