import type { Invocation } from "../command/command.ts";
import { wholeId } from "../command/partial-id.ts";

/** The session that the command's ID means: whole, or at least six characters that begin or end it. */
export async function sessionIdOf(invocation: Invocation): Promise<string> {
  const { values, options } = invocation;
  return wholeId(values.positional("ID"), "sessions", async function* () {
    const client = await invocation.client();
    let page_token: string | undefined;
    do {
      const page = await client.call(
        "_cleveragents/session/list",
        { page_size: 500, page_token },
        { timeoutMs: options.timeoutMs },
      );
      yield* page.sessions.map(({ session_id, name }) => ({ id: session_id, about: name ?? "" }));
      page_token = page.next_page_token;
    } while (page_token !== "");
  });
}
