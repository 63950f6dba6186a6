import { createHash } from "node:crypto";
import type { AgentCard } from "@cleveragents/protocol";
import { type HttpAnswer, jsonAnswer } from "./http-answer.ts";

interface Written {
  readonly card: AgentCard;
  readonly body: string;
  readonly etag: string;
}

/** The agent card (A2A §8.2, §8.6), written once for as long as the same object is handed in. */
export function createCardEndpoint(card: () => AgentCard): (ifNoneMatch: string | undefined) => HttpAnswer {
  let last: Written | undefined;
  return (ifNoneMatch) => {
    const current = card();
    if (last?.card !== current) last = write(current);
    const headers = { etag: last.etag, vary: "A2A-Version", "cache-control": "public, max-age=60" };
    return matches(ifNoneMatch, last.etag)
      ? { status: 304, headers, body: "" }
      : jsonAnswer(200, last.body, headers);
  };
}

function write(card: AgentCard): Written {
  const body = JSON.stringify(card);
  return { card, body, etag: `"${createHash("sha256").update(body).digest("base64url").slice(0, 22)}"` };
}

/** Weak comparison (RFC 9110 §13.1.2): a proxy that compresses marks our tag as weak. */
function matches(ifNoneMatch: string | undefined, etag: string): boolean {
  if (ifNoneMatch === undefined) return false;
  return (
    ifNoneMatch.trim() === "*" ||
    ifNoneMatch.split(",").some((tag) => tag.trim().replace(/^W\//, "") === etag)
  );
}
