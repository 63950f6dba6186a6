import type { ResultOf } from "@cleveragents/protocol";
import { usageError } from "../cli-error.ts";
import type { Invocation } from "../command/command.ts";

/**
 * With `--stream`: writes each event to stdout as it came, one JSON line each. Wrong usage beside another form of output, whose one document
 * these lines would spoil.
 */
export function eventLines({
  options,
  output,
  values,
}: Pick<Invocation, "options" | "output" | "values">):
  | ((item: ResultOf<"SubscribeToTask">) => void)
  | undefined {
  if (!values.isSet("stream")) return undefined;
  if (options.output !== "json") throw usageError("--stream is JSON lines", "add -o json");
  return (item) => output.line(JSON.stringify(item));
}
