import { ActionSchema, type Script } from "@cleveragents/domain";
import { expect, test } from "vitest";
import { expressionProblems } from "./script-check.ts";

test("an expression that cannot be read is told with the place of the text that it is part of", () => {
  const { script } = ActionSchema.parse({
    name: "bad",
    description: "x",
    definition_of_done: "y",
    script: {
      decisions: [
        {
          id: "line",
          question: "Which for {{ args. }}?",
          alternatives: [{ id: "a" }, { id: "b" }],
          choose: [{ choice: "a", when: "1 ==", confidence: 0.9 }, { choice: "b" }],
        },
      ],
      steps: [
        { read: { path: "{{ args.file }}" }, when: "args.(" },
        { write: { path: "ok", content: "{{ 1 + }}" } },
        { run: { command: ["ls", "{{ ( }}"], env: { A: "{{ ) }}" } } },
      ],
    },
  });
  expect(expressionProblems(script as Script).map(({ path }) => path)).toEqual([
    "script.decisions.0.question",
    "script.decisions.0.choose.0.when",
    "script.steps.0.when",
    "script.steps.1.write.content",
    "script.steps.2.run.command.1",
    "script.steps.2.run.env.A",
  ]);
});
