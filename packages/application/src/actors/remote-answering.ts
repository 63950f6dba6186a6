import { ACTOR_ROLES, type AskAnswer, type AskRequest, type Plan } from "@cleveragents/domain";
import type { Turn, TurnOutcome } from "../plans/turn.ts";
import { type RemoteRole, withWork } from "./remote-work.ts";

/** Whose question it is, where an agent elsewhere has asked it. */
export function askedBy({ details }: AskRequest): RemoteRole | undefined {
  const role = details?.["remote"];
  return ACTOR_ROLES.find((known) => known === role);
}

/** What somebody has said to an agent elsewhere is passed on by the turn that comes next. */
export async function answerRemote(
  { writer }: Pick<Turn, "writer">,
  plan: Plan,
  role: RemoteRole,
  ask: AskRequest,
  key: string,
  { choice, text, by }: AskAnswer,
): Promise<TurnOutcome> {
  const work = plan.remotes?.[role];
  if (work === undefined) throw new Error("nobody elsewhere has asked");
  const option = ask.options.find(({ id }) => id === choice);
  const answer = text ?? (work.asks?.credential === true ? "" : (option?.label ?? choice));
  await writer.write(
    withWork(plan, role, { ...work, answer }),
    "working",
    [{ key: `taken:${key}`, name: "remote.told", data: { role, by } }],
    { inbox: { take: [key] } },
  );
  return "continue";
}
