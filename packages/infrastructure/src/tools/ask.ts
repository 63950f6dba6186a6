import { InputNeededError, ToolError } from "@cleveragents/application";
import { z } from "zod";
import { defineTool } from "./builtin-tool.ts";

const OptionSchema = z.union([
  z.string().min(1),
  z.strictObject({ id: z.string().min(1), label: z.string().min(1).optional() }),
]);

/** A question to a human, whose answer is the result. The plan waits for it, whatever happens to the process. */
export const askTool = defineTool({
  name: "builtin/ask",
  description:
    "Asks the user a question and waits for the answer. Only for what cannot be found out otherwise. With options the answer is one of them, unless free_text is set.",
  input: z.strictObject({
    question: z.string().min(1).max(4000),
    options: z.array(OptionSchema).max(20).default([]),
    free_text: z.boolean().optional().describe("whether any text is an answer; so it is without options"),
  }),
  readOnly: true,
  idempotent: true,
  effect: "none",
  async run({ question, options, free_text }, { inputs }) {
    if (inputs === undefined) throw new ToolError("NOT_AVAILABLE", "nobody can be asked in this phase");
    const answer = inputs.find(({ key }) => key === "ask")?.value;
    if (answer === undefined)
      throw new InputNeededError({
        key: "ask",
        prompt: question,
        options: options.map((option) =>
          typeof option === "string"
            ? { id: option, label: option }
            : { id: option.id, label: option.label ?? option.id },
        ),
        freeText: free_text ?? options.length === 0,
      });
    const choice = String(answer["choice"]);
    const text = String(answer["text"] ?? choice);
    return { value: { choice, text }, summary: `answered: ${text.split("\n", 1)[0]?.slice(0, 200)}` };
  },
});
