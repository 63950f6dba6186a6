import type { JSONRPCMessage } from "@modelcontextprotocol/client";

const BEGIN = '{"jsonrpc"';

/**
 * The messages of a line on a server's stdout; undefined for one that is none. Some write a byte order mark first, some
 * answer in a batch (the protocol of 2025-03-26 has them), and progress bars end without a line break. The SDK judges the rest.
 */
export function messagesInLine(line: string): readonly JSONRPCMessage[] | undefined {
  const text = line.replace(/^\uFEFF/, "");
  const at = text.indexOf(BEGIN);
  const parsed = parse(text) ?? (at > 0 ? parse(text.slice(at)) : undefined);
  const messages = (Array.isArray(parsed) ? parsed : [parsed]).filter(isMessage);
  return messages.length === 0 ? undefined : messages;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function isMessage(value: unknown): value is JSONRPCMessage {
  return typeof value === "object" && value !== null && "jsonrpc" in value;
}
