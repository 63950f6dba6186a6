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
import { cacheHeaders, isKnown, type Written, write as writeText } from "./not-modified.ts";
import { refusal } from "./refusal.ts";
import { readServiceParameters } from "./service-parameters.ts";

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
      found = writeText(JSON.stringify(WRITE[form](card)));
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
    const found = write(await deps.card(deps.forwardedBase(request)), form);
    const headers = { ...cacheHeaders(found), vary: "A2A-Version" };
    return isKnown(request, found)
      ? { status: 304, headers, body: "" }
      : jsonAnswer(200, found.body, headers);
  };
}

/** Undefined for a version that is not served. */
function formOf(given: string | undefined, versions: readonly A2aVersion[]): Form | undefined {
  if (given === undefined || given.trim() === "") return versions.length > 1 ? "blended" : versions[0];
  const version = readVersion(given);
  return version !== undefined && versions.includes(version) ? version : undefined;
}
