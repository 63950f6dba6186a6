import type { MethodName } from "@cleveragents/protocol";
import { pageByName } from "../../services/page-token.ts";
import type { Consent, TrustService } from "../../services/trust-service.ts";
import { compact } from "../../wire/message.ts";
import { iso } from "../../wire/task.ts";
import type { HandlersOf } from "../method-handlers.ts";
import { wired } from "./wired.ts";

type TrustMethod = Extract<MethodName, `_cleveragents/trust/${string}`>;

export function trustHandlers(service: TrustService | undefined): HandlersOf<TrustMethod> {
  const trust = () => wired(service, "trust");
  return {
    async "_cleveragents/trust/list"(params) {
      const all = (await trust().list())
        .filter(({ kind }) => params.kind === undefined || kind === params.kind)
        .map((consent) => ({ consent, name: `${consent.kind} ${consent.entry} ${consent.digest}` }));
      const { items, ...page } = pageByName(all, params);
      return { consents: items.map(({ consent }) => toWire(consent)), ...page };
    },
    async "_cleveragents/trust/add"(params, { principal }) {
      return toWire(await trust().grant(principal, params));
    },
    async "_cleveragents/trust/remove"(params) {
      return { removed: (await trust().withdraw(params)).map(toWire) };
    },
  };
}

function toWire({ kind, entry, digest, command, args, variables, files, grantedBy, grantedAt }: Consent) {
  return {
    kind,
    name: entry,
    digest,
    trusted: grantedAt !== undefined,
    ...compact({
      command,
      args: args && [...args],
      variables: variables && [...variables],
      files: files?.map((file) => ({ ...file })),
      granted_by: grantedBy,
      granted_at: grantedAt === undefined ? undefined : iso(grantedAt),
    }),
  };
}
