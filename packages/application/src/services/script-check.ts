import { DocumentError, type DocumentProblem, type JsonValue, type Script } from "@cleveragents/domain";
import { syntaxProblem } from "../script/expression.ts";
import { expressionsOf } from "../script/template.ts";

/** Throws `DocumentError` naming every expression of a script that cannot be read, when it is registered and not later. */
export function checkExpressions(file: string, script: Script): void {
  const problems: DocumentProblem[] = [];
  const check = (path: string, expression: string) => {
    const problem = syntaxProblem(expression);
    if (problem !== undefined)
      problems.push({ path, problem: `the expression ${expression} cannot be read: ${problem}` });
  };
  script.decisions.forEach((decision, i) => {
    for (const choice of decision.choose)
      if (choice.when !== undefined) check(`script.decisions.${i}.choose`, choice.when);
    for (const expression of expressionsOf(decision.question))
      check(`script.decisions.${i}.question`, expression);
  });
  script.steps.forEach((step, i) => {
    if (step.when !== undefined) check(`script.steps.${i}.when`, step.when);
    if (step.kind === "decide")
      for (const choice of step.value.choose)
        if (choice.when !== undefined) check(`script.steps.${i}.decide.choose`, choice.when);
    for (const expression of expressionsOf(step.value as unknown as JsonValue))
      check(`script.steps.${i}.${step.kind}`, expression);
  });
  if (problems.length > 0) throw new DocumentError(file, problems);
}
