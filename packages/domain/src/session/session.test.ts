import fc from "fast-check";
import { expect, test } from "vitest";
import {
  closedSession,
  closingSession,
  SESSION_STATES,
  type Session,
  type SessionState,
  SessionStateError,
  sessionState,
  usedSession,
} from "./session.ts";

const TIMEOUT = 100;
const NEW: Session = { sessionId: "s", principal: "anna", status: "created", createdAt: 0, updatedAt: 0 };

/** What may become of a session, by what is done: written down, and not asked of the code. */
const TABLE: Readonly<
  Record<"use" | "close" | "end" | "wait", Readonly<Record<SessionState, SessionState | "refused">>>
> = {
  use: { created: "active", active: "active", suspended: "active", closing: "refused", closed: "refused" },
  close: {
    created: "closing",
    active: "closing",
    suspended: "closing",
    closing: "closing",
    closed: "closed",
  },
  end: { created: "refused", active: "refused", suspended: "refused", closing: "closed", closed: "closed" },
  wait: {
    created: "suspended",
    active: "suspended",
    suspended: "suspended",
    closing: "closing",
    closed: "closed",
  },
};
const steps = fc.array(fc.constantFrom(...(Object.keys(TABLE) as (keyof typeof TABLE)[])), { maxLength: 12 });

test("a session goes from state to state as the table says, and as nothing else", () => {
  const seen = new Set<SessionState>();
  fc.assert(
    fc.property(steps, (taken) => {
      let session = NEW;
      let now = 0;
      let state: SessionState = "created";
      for (const step of taken) {
        now += step === "wait" ? TIMEOUT : 1;
        const next: SessionState | "refused" = TABLE[step][state];
        const take = () => {
          if (step === "use") session = usedSession(session, now);
          if (step === "close") session = closingSession(session, now, "detach");
          if (step === "end") session = closedSession(session, now);
        };
        if (next === "refused") expect(take).toThrow(SessionStateError);
        else {
          take();
          state = next;
        }
        // Time has gone by for the others too, but never enough of it.
        expect(sessionState(session, now, TIMEOUT)).toBe(state);
        seen.add(state);
        if (state !== "suspended" && next !== "refused" && step !== "wait") now = session.updatedAt;
      }
    }),
  );
  expect(seen).toEqual(new Set(SESSION_STATES));
});

test("a session that is closed is closed for good, and its time never goes back", () => {
  fc.assert(
    fc.property(steps, fc.array(fc.nat(1000), { minLength: 12, maxLength: 12 }), (taken, times) => {
      let session: Session = { ...NEW, updatedAt: 500 };
      for (const [index, step] of taken.entries()) {
        const before = session;
        const at = times[index] ?? 0;
        try {
          if (step === "use") session = usedSession(session, at);
          if (step === "close") session = closingSession(session, at, "cancel");
          if (step === "end") session = closedSession(session, at);
        } catch (error) {
          expect(error).toBeInstanceOf(SessionStateError);
        }
        expect(session.updatedAt).toBeGreaterThanOrEqual(before.updatedAt);
        if (before.status === "closed") expect(session).toEqual(before);
      }
    }),
  );
});
