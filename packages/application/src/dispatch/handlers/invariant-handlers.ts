import type { InvariantDocument } from "@cleveragents/domain";
import { type MethodName, ProtocolError } from "@cleveragents/protocol";
import type { InvariantService } from "../../services/invariant-service.ts";
import { pageByName } from "../../services/page-token.ts";
import { toWireConflict, toWireInvariant } from "../../wire/checks.ts";
import { compact } from "../../wire/message.ts";
import type { HandlersOf } from "../method-handlers.ts";
import { wired } from "./wired.ts";

type InvariantMethod = Extract<MethodName, `_cleveragents/invariant/${string}`>;

export function invariantHandlers(service: InvariantService | undefined): HandlersOf<InvariantMethod> {
  const invariants = () => wired(service, "invariant");
  return {
    async "_cleveragents/invariant/list"(params, { principal }) {
      const { global, project, action, plan_id, effective } = params;
      if (effective === true && plan_id === undefined)
        throw new ProtocolError("InvalidParams", {
          violations: [{ field: "plan_id", description: "what is effective is so for a plan: name it" }],
        });
      if (effective === true && plan_id !== undefined) {
        const held = await invariants().effective(principal, plan_id);
        const page = pageOfThem(
          held.effective.map((invariant) => toWireInvariant({ invariant })),
          params,
        );
        return { ...page, plan_id, conflicts_resolved: held.overridden.map(toWireConflict) };
      }
      const list = (of?: string) => (of === undefined ? undefined : [of]);
      const targets = { global, projects: list(project), actions: list(action), plans: list(plan_id) };
      return pageOfThem((await invariants().list(principal, targets)).map(toWireInvariant), params);
    },
    async "_cleveragents/invariant/add"(params, { principal }) {
      const { text, name, check, command, paths, global, projects, actions, plan_ids } = params;
      const probe = compact({ name, check, command, paths });
      const document = (Object.keys(probe).length === 0 ? text : { text, ...probe }) as InvariantDocument;
      const targets = { global, projects, actions, plans: plan_ids };
      const made = await invariants().add(principal, document, targets, params.non_overridable ?? false);
      return { invariants: made.map(toWireInvariant) };
    },
    async "_cleveragents/invariant/remove"(params, { principal }) {
      return { id: await invariants().remove(principal, params.id), removed: true };
    },
  };
}

/** A page by id, which for registered ones is the order in which they were made. */
function pageOfThem<T extends { readonly id: string }>(
  all: readonly T[],
  params: { readonly page_size?: number | undefined; readonly page_token?: string | undefined },
) {
  const named = all.map((item) => ({ name: item.id, item })).sort((a, b) => (a.name < b.name ? -1 : 1));
  const { items, ...page } = pageByName(named, params);
  return { invariants: items.map(({ item }) => item), ...page };
}
