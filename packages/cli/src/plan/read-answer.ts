import type { Ask } from "./ask-text.ts";

export interface Answer {
  readonly option?: string;
  readonly text?: string;
}

/**
 * What a line at the terminal answers: the number or the id of an option, with words behind it where they belong to it; or words,
 * where those are taken. Undefined if it is none of these.
 */
export function readAnswer(line: string, { options, free_text }: Pick<Ask, "options" | "free_text">) {
  const [, first = "", rest = ""] = /^(\S+)\s*([\s\S]*)$/.exec(line) ?? [];
  const byNumber = /^\d+$/.test(first) ? options[Number(first) - 1] : undefined;
  const option = byNumber ?? options.find(({ id }) => id.toLowerCase() === first.toLowerCase());
  // In words, an answer may well begin with the id of an option.
  if (option !== undefined && (rest === "" || !free_text))
    return { option: option.id, ...(rest === "" ? {} : { text: rest }) } satisfies Answer;
  return free_text ? ({ text: line } satisfies Answer) : undefined;
}
