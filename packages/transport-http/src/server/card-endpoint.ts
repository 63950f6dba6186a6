import { createHash } from "node:crypto";
import type { IncomingMessage } from "node:http";
import {
  A2A_VERSIONS,
  type A2aVersion,
  type AgentCard,
  readVersion,
  toBlendedAgentCard,
  toLegacyAgentCard,
} from "@cleveragents/protocol";
import type { ForwardedReader } from "./forwarded-base.ts";
import { type HttpAnswer, jsonAnswer } from "./http-answer.ts";
import type { HttpServerOptions } from "./http-server-options.ts";
import { refusal } from "./refusal.ts";
import { readServiceParameters } from "./service-parameters.ts";

interface Written {
  readonly body: string;
  readonly etag: string;
  /** Whole seconds, as in the header. */
  readonly modified: number;
}

export interface CardEndpointDeps {
  readonly card: HttpServerOptions["card"];
  readonly versions: HttpServerOptions["versions"];
  readonly forwardedBase: ForwardedReader;
}

type Form = A2aVersion | "blended";

const WRITE: Readonly<Record<Form, (card: AgentCard) => object>> = {
  "1.0": (card) => card,
  "0.3": toLegacyAgentCard,
  blended: toBlendedAgentCard,
};

/**
 * The agent card (A2A §8.2, §8.6) in the version that is asked for, or one for readers of both. Each form is written once
 * for as long as the same card is handed in.
 */
export function createCardEndpoint(
  deps: CardEndpointDeps,
): (request: IncomingMessage) => Promise<HttpAnswer> {
  const versions = deps.versions ?? A2A_VERSIONS;
  const written = new WeakMap<AgentCard, Map<Form, Written>>();

  function write(card: AgentCard, form: Form): Written {
    const forms = written.get(card) ?? new Map<Form, Written>();
    written.set(card, forms);
    let found = forms.get(form);
    if (found === undefined) {
      const body = JSON.stringify(WRITE[form](card));
      const etag = `"${createHash("sha256").update(body).digest("base64url").slice(0, 22)}"`;
      found = { body, etag, modified: Math.floor(Date.now() / 1000) * 1000 };
      forms.set(form, found);
    }
    return found;
  }

  return async (request) => {
    const form = formOf(readServiceParameters(request)["a2a-version"], versions);
    if (form === undefined)
      return refusal(
        "VersionNotSupported",
        { details: { supported: versions.join(", ") } },
        { vary: "A2A-Version", "cache-control": "no-store" },
      );
    const { body, etag, modified } = write(await deps.card(deps.forwardedBase(request)), form);
    const headers = {
      etag,
      "last-modified": new Date(modified).toUTCString(),
      vary: "A2A-Version",
      "cache-control": "public, max-age=60",
    };
    return isKnown(request, etag, modified)
      ? { status: 304, headers, body: "" }
      : jsonAnswer(200, body, headers);
  };
}

/** Undefined for a version that is not served. */
function formOf(given: string | undefined, versions: readonly A2aVersion[]): Form | undefined {
  if (given === undefined || given.trim() === "") return versions.length > 1 ? "blended" : versions[0];
  const version = readVersion(given);
  return version !== undefined && versions.includes(version) ? version : undefined;
}

/** RFC 9110 §13.2.2: a tag counts before a date. */
function isKnown({ headers }: IncomingMessage, etag: string, modified: number): boolean {
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
