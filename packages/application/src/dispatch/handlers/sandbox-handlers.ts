import { pageByName } from "../../services/page-token.ts";
import type { SandboxService, WeighedSandbox } from "../../services/sandbox-service.ts";
import { compact } from "../../wire/message.ts";
import { iso } from "../../wire/task.ts";
import type { HandlersOf } from "../method-handlers.ts";
import { wired } from "./wired.ts";

type SandboxMethod = "_cleveragents/sandbox/list" | "_cleveragents/sandbox/gc";

export function sandboxHandlers(service: SandboxService | undefined): HandlersOf<SandboxMethod> {
  const sandboxes = () => wired(service, "sandbox");
  return {
    async "_cleveragents/sandbox/list"(params, { principal }) {
      const all = (await sandboxes().list(principal)).map((held) => ({ ...held, name: held.planId }));
      const { items, total, next_page_token } = pageByName(all, params);
      const page = [];
      for (const held of items) page.push(toWireSandbox(await sandboxes().weigh(held)));
      return { sandboxes: page, total, next_page_token };
    },
    async "_cleveragents/sandbox/gc"(params, { principal }) {
      const dryRun = params.dry_run === true;
      const collected = await sandboxes().collect(principal, {
        planId: params.plan_id,
        olderThanMs: params.older_than === undefined ? undefined : params.older_than * 1000,
        dryRun,
      });
      return {
        sandboxes: collected.map((held) => ({ ...toWireSandbox(held), removed: held.removed })),
        total: collected.length,
        next_page_token: "",
        bytes_freed: collected.reduce((sum, { bytes, removed }) => sum + (removed ? bytes : 0), 0),
        dry_run: dryRun,
      };
    },
  };
}

function toWireSandbox(held: WeighedSandbox) {
  const { planId, row, plan, since, bytes, files, unappliedWork, removable, keptUntil } = held;
  return {
    plan_id: planId,
    state: row.state,
    project: plan.project.name,
    bytes,
    files,
    unapplied_work: unappliedWork,
    removable,
    ...compact({
      created_at: since === undefined ? undefined : iso(since),
      kept_until: keptUntil === undefined ? undefined : iso(keptUntil),
    }),
  };
}
