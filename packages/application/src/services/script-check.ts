import { DocumentError, type DocumentProblem, type JsonValue, type Script } from "@cleveragents/domain";
import { syntaxProblem } from "../script/expression.ts";
import { placedExpressionsOf } from "../script/template.ts";

/** Throws `DocumentError` naming every expression of a script that cannot be read, when it is registered and not later. */
export function checkExpressions(file: string, script: Script): void {
  assertNone(file, expressionProblems(script));
}

/** The same for the templates of a value that stands at a path of its document. */
export function checkTemplates(file: string, path: string, value: JsonValue): void {
  assertNone(file, templateProblems(path, value));
}

function assertNone(file: string, problems: readonly DocumentProblem[]): void {
  if (problems.length > 0) throw new DocumentError(file, problems);
}

/** Every expression that cannot be read, each with its place in the document, down to the text that it is part of. */
export function expressionProblems({ decisions, steps, answer }: Script): DocumentProblem[] {
  return [
    ...decisions.flatMap((decision, i) => [
      ...templateProblems(`script.decisions.${i}.question`, decision.question),
      ...choiceProblems(`script.decisions.${i}`, decision.choose),
    ]),
    ...steps.flatMap((step, i) => [
      ...(step.when === undefined ? [] : problemsOf(`script.steps.${i}.when`, step.when)),
      ...(step.kind === "decide" ? choiceProblems(`script.steps.${i}.decide`, step.value.choose) : []),
      ...templateProblems(`script.steps.${i}.${step.kind}`, step.value as unknown as JsonValue),
    ]),
    ...(answer === undefined ? [] : templateProblems("script.answer", answer)),
  ];
}

function choiceProblems(
  path: string,
  choose: readonly { readonly when?: string | undefined }[],
): DocumentProblem[] {
  return choose.flatMap(({ when }, i) =>
    when === undefined ? [] : problemsOf(`${path}.choose.${i}.when`, when),
  );
}

function templateProblems(path: string, value: JsonValue): DocumentProblem[] {
  return placedExpressionsOf(value).flatMap(({ path: below, expression }) =>
    problemsOf(below === "" ? path : `${path}.${below}`, expression),
  );
}

function problemsOf(path: string, expression: string): DocumentProblem[] {
  const problem = syntaxProblem(expression);
  return problem === undefined
    ? []
    : [{ path, problem: `the expression ${expression} cannot be read: ${problem}` }];
}
