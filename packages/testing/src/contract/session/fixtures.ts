import type { ParamsInputOf, ResultOf } from "@cleveragents/protocol";
import type { Caller } from "../../harness/harness.ts";

/** Opens a session and answers its id. */
export async function openSession(
  { client }: Caller,
  params: ParamsInputOf<"session.create"> = {},
): Promise<string> {
  return (await client.call("session.create", params)).session_id;
}

export function tell(
  { client }: Caller,
  session_id: string,
  text: string,
  more: Partial<ParamsInputOf<"_cleveragents/session/tell">> = {},
): Promise<ResultOf<"_cleveragents/session/tell">> {
  return client.call("_cleveragents/session/tell", { session_id, text, ...more });
}
