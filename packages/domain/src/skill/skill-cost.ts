import { utf8Length } from "../text/utf8.ts";

/** About how many tokens a text takes in a model's context: a quarter of its bytes, which is near enough to choose by. */
export function tokensOf(text: string): number {
  return Math.ceil(utf8Length(text) / 4);
}
