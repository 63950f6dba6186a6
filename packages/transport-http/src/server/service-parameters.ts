import type { IncomingMessage } from "node:http";

const NAMES = [
  "a2a-version",
  "a2a-extensions",
  "x-a2a-extensions", // the same before A2A 1.0
  "last-event-id",
  "traceparent",
] as const;

/** A2A service parameters by lower-case name: headers, and the version also as a query parameter (A2A §3.6.1). */
export function readServiceParameters({ headers, url = "" }: IncomingMessage): Record<string, string> {
  const parameters: Record<string, string> = {};
  for (const name of NAMES) {
    const value = headers[name];
    if (typeof value === "string" && value !== "") parameters[name] = value;
  }
  if (parameters["a2a-version"] === undefined && url.includes("?")) {
    const version = new URLSearchParams(url.slice(url.indexOf("?"))).get("A2A-Version");
    if (version !== null) parameters["a2a-version"] = version;
  }
  return parameters;
}
