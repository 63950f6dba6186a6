import type { Session } from "@cleveragents/domain";
import { badToken } from "../../services/page-token.ts";
import type { SessionService } from "../../services/session-service.ts";
import { compact } from "../../wire/message.ts";
import { iso } from "../../wire/task.ts";
import type { HandlersOf } from "../method-handlers.ts";
import { wired } from "./wired.ts";

type SessionMethod = "session.create" | "session.close" | "_cleveragents/session/list";

export function sessionHandlers(service: SessionService | undefined): HandlersOf<SessionMethod> {
  const sessions = () => wired(service, "session");
  return {
    async "session.create"(params, { principal }) {
      const session = await sessions().create(principal, {
        sessionId: params.session_id,
        actor: params.actor_name ?? params.actor ?? params.agent_id,
        name: params.name,
      });
      return {
        session_id: session.sessionId,
        status: "created",
        created_at: iso(session.createdAt),
        ...compact({ actor: session.actor }),
      };
    },
    async "session.close"(params, { principal }) {
      await sessions().close(principal, params.session_id);
      return { session_id: params.session_id, status: "closed" };
    },
    async "_cleveragents/session/list"(params, { principal }) {
      const all = await sessions().list(principal);
      const size = params.page_size ?? 100;
      const from =
        params.page_token === undefined || params.page_token === "" ? 0 : positionOf(all, params.page_token);
      const page = all.slice(from, from + size);
      return {
        sessions: page.map(item),
        total: all.length,
        next_page_token: from + size < all.length ? (page.at(-1)?.sessionId ?? "") : "",
      };
    },
  };
}

function positionOf(all: readonly Session[], token: string): number {
  const at = all.findIndex((session) => session.sessionId === token);
  if (at < 0) throw badToken("page_token");
  return at + 1;
}

function item(session: Session) {
  return {
    session_id: session.sessionId,
    status: session.status,
    created_at: iso(session.createdAt),
    updated_at: iso(session.updatedAt),
    ...compact({ name: session.name, actor: session.actor }),
  };
}
