import type { Session } from "@cleveragents/domain";

export interface SessionStore {
  /** Keeps the session; if the id is there already, answers the one that is there and changes nothing. */
  create(session: Session): Promise<Session>;
  find(sessionId: string): Promise<Session | undefined>;
  close(sessionId: string, at: number): Promise<void>;
  /** Newest first. */
  list(principal: string): Promise<readonly Session[]>;
}
