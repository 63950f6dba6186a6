import type { Values } from "../command/values.ts";
import { a2aError } from "./a2a-errors.ts";
import type { Params } from "./operations.ts";

/** `--history N`; none may be wanted, so 0 counts. */
export function historyOf(values: Values): Params {
  const text = values.text("history");
  if (text === undefined) return {};
  if (!/^\d{1,9}$/.test(text)) throw a2aError("USAGE", `--history is a number of messages, not "${text}"`);
  return { historyLength: Number(text) };
}
