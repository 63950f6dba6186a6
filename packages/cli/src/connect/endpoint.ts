import { usageError } from "../cli-error.ts";

/** The JSON-RPC endpoint of a server that is named by its origin alone is /a2a. Throws a usage error for no URL. */
export function endpointOf(server: string): URL {
  const url = URL.canParse(server) ? new URL(server) : undefined;
  if (url === undefined || (url.protocol !== "http:" && url.protocol !== "https:")) {
    throw usageError(
      `not a server URL: ${server}`,
      "it looks like https://agents.example or http://127.0.0.1:8000/a2a",
    );
  }
  if (url.username !== "" || url.password !== "") {
    throw usageError("a server URL holds no credentials", "agents login keeps them");
  }
  url.hash = "";
  if (url.pathname === "/") url.pathname = "/a2a";
  return url;
}

/** Whether both name the same server. */
export function isSameServer(one: string, other: string): boolean {
  return URL.canParse(one) && URL.canParse(other) && endpointOf(one).href === endpointOf(other).href;
}

/** Where its card is looked for, and what people call it: without what we add to it. */
export function addressOf(endpoint: URL): string {
  return endpoint.pathname === "/a2a" ? endpoint.origin : endpoint.href;
}
