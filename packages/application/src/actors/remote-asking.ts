import type { Plan, RemoteSaid, RemoteWork } from "@cleveragents/domain";
import type { AskDraft } from "../plans/gates.ts";
import type { NamedEvent } from "../plans/plan-writer.ts";
import { placeOf, whereToPut } from "./credential-place.ts";
import type { Advance } from "./remote-advance.ts";
import { type RemoteRole, remoteActorOf, withWork } from "./remote-work.ts";

/** What an agent elsewhere asks, or wants to know, as a question of the plan. */
export function questionOf(plan: Plan, role: RemoteRole, { asks }: Pick<RemoteWork, "asks">): AskDraft {
  const { question, options, credential, ours } = asks as NonNullable<RemoteWork["asks"]>; // whoever calls has looked
  const actor = remoteActorOf(plan, role);
  const { name } = actor;
  return {
    kind: "question",
    prompt:
      ours === true
        ? question
        : credential === true
          ? `${name} wants to know who is asking: ${question}`
          : `${name} asks: ${question}`,
    options:
      credential === true
        ? [{ id: "done", label: ours === true ? "It is there now; go on" : "It knows by now; look again" }]
        : options.map((label, n) => ({ id: `option-${n + 1}`, label })),
    freeText: ours !== true,
    ...(credential === true ? { credential } : {}),
    details: { remote: role, agent: name, ...(ours === true ? { credential: placeOf(actor) } : {}) },
  };
}

/** A credential of ours is missing or refused: what waits is sent, or followed, when somebody says that it is there. */
export function credentialWanted(plan: Plan, role: RemoteRole, work: RemoteWork, message: string): Advance {
  const refused = (work.refused ?? 0) + 1;
  const question = `${message}. ${whereToPut(remoteActorOf(plan, role))}`;
  const asking: RemoteWork = {
    ...work,
    refused,
    asks: { question, options: [], credential: true, ours: true },
  };
  return {
    plan: withWork(plan, role, asking),
    events: [
      remoteEvent(work.pending as RemoteSaid, `refused:${refused}`, {
        role,
        reason: "REMOTE_AUTHENTICATION",
        message,
      }),
    ],
    ask: questionOf(plan, role, asking),
  };
}

/** What is said of a message, once in its life. */
export function remoteEvent(
  { messageId }: RemoteSaid,
  what: string,
  data: NamedEvent["data"] & object,
): NamedEvent {
  return { key: `remote:${messageId}:${what}`, name: `remote.${what.split(":", 1)[0]}`, data };
}
