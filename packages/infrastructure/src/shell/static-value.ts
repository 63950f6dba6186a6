import type { ParameterExpansionPart, Word, WordPart } from "unbash";

/** What a word is whatever the variables, files and folders are; undefined where it depends on them. */
export function staticValue(word: Word): string | undefined {
  if (/^(?:~|[^'"\\]*[=:]~)/.test(word.text)) return undefined;
  return (word.parts ?? []).every(isStatic) ? word.value : undefined;
}

function isStatic(part: WordPart): boolean {
  switch (part.type) {
    case "Literal":
    case "SingleQuoted":
      return true;
    case "DoubleQuoted":
      return part.parts.every((inner) => inner.type === "Literal");
    default:
      // Among them $'…', which only some shells know.
      return false;
  }
}

/** Whether an expansion gives a value and does nothing else: no assignment, no indirection, no arithmetic. */
export function isClearExpansion({ prefix, index, operation }: ParameterExpansionPart): boolean {
  if (index !== undefined || prefix === "!") return false;
  switch (operation?.type) {
    case undefined:
    case "Remove":
    case "Replace":
    case "CaseModification":
      return true;
    case "Default":
      return !operation.operator.endsWith("=");
    default:
      return false;
  }
}
