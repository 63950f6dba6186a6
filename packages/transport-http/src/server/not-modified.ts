import { createHash } from "node:crypto";
import type { IncomingMessage } from "node:http";
import type { Headers } from "./http-answer.ts";

/** A text that is served as it is until the process ends or it changes. */
export interface Written {
  readonly body: string;
  readonly etag: string;
  /** Whole seconds, as in the header. */
  readonly modified: number;
}

export function write(body: string): Written {
  const etag = `"${createHash("sha256").update(body).digest("base64url").slice(0, 22)}"`;
  return { body, etag, modified: Math.floor(Date.now() / 1000) * 1000 };
}

export function cacheHeaders({ etag, modified }: Written): Headers {
  return {
    etag,
    "last-modified": new Date(modified).toUTCString(),
    "cache-control": "public, max-age=60",
  };
}

/** Whether the reader has it already. RFC 9110 §13.2.2: a tag counts before a date. */
export function isKnown({ headers }: IncomingMessage, { etag, modified }: Written): boolean {
  const { "if-none-match": tags, "if-modified-since": since } = headers;
  if (tags !== undefined) return matches(tags, etag);
  return since !== undefined && Date.parse(since) >= modified;
}

/** Weak comparison (RFC 9110 §13.1.2): a proxy that compresses marks our tag as weak. */
function matches(ifNoneMatch: string, etag: string): boolean {
  return (
    ifNoneMatch.trim() === "*" ||
    ifNoneMatch.split(",").some((tag) => tag.trim().replace(/^W\//, "") === etag)
  );
}
