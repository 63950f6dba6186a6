import type { Invocation } from "./command.ts";

/** A server that takes longer for its first answer is listed by the first call, or by `mcp refresh`. */
const LISTED_WITHIN_MS = 20_000;

/** What has come of listing the tools of an MCP server. That it is registered stands, whatever that is. */
export async function listedTools({ client, options }: Invocation, name: string): Promise<string> {
  const later = `agents mcp refresh ${name}`;
  try {
    const timeoutMs = Math.min(options.timeoutMs ?? LISTED_WITHIN_MS, LISTED_WITHIN_MS);
    const { servers } = await (await client()).call(
      "_cleveragents/registry/mcp/refresh",
      { name },
      { timeoutMs },
    );
    const [server] = servers;
    if (server?.status === "failed") return `Its tools are not listed: ${server.message}\nThen: ${later}`;
    return `${server?.tools ?? 0} tools can be called now: agents tool list --source mcp`;
  } catch (error) {
    return `Its tools are not listed: ${(error as Error).message}\nThen: ${later}`;
  }
}
