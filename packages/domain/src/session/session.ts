/** A session is an A2A context: what happens in it shares the context id, which is the session's id. */
export interface Session {
  readonly sessionId: string;
  readonly principal: string;
  readonly actor?: string;
  readonly name?: string;
  readonly status: "open" | "closed";
  readonly createdAt: number;
  readonly updatedAt: number;
}

export class SessionNotFoundError extends Error {
  override readonly name = "SessionNotFoundError";
  readonly sessionId: string;
  constructor(sessionId: string) {
    super(`no session ${sessionId}`);
    this.sessionId = sessionId;
  }
}
