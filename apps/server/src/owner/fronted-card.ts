import {
  type Clock,
  createDispatcher,
  createMethodHandlers,
  type IdGenerator,
  type Logger,
} from "@cleveragents/application";
import {
  type AgentSkill,
  buildExtendedAgentCard,
  type CallContext,
  type CardConfig,
  type DispatchAnswer,
  type Dispatcher,
  type JsonRpcResponse,
  type ParsedMessage,
  ProtocolError,
  parseMessage,
} from "@cleveragents/protocol";

export interface FrontedCardDeps {
  /** The owner's. */
  readonly dispatcher: Dispatcher;
  /** What this process's own card says. */
  readonly card: () => CardConfig;
  readonly clock: Clock;
  readonly ids: IdGenerator;
  readonly logger: Logger;
}

const SPELLINGS: ReadonlySet<string> = new Set([
  "GetExtendedAgentCard",
  "getExtendedAgentCard",
  "agent/getAuthenticatedExtendedCard",
  "agent/authenticatedExtendedCard",
]);

/**
 * The owner's dispatcher, but for the extended card: the owner knows what its callers can do, and only this process knows
 * where its own callers reach it.
 */
export function withFrontedCard(deps: FrontedCardDeps): Dispatcher {
  const { dispatcher, card, clock, ids, logger } = deps;
  const own = createDispatcher({
    handlers: {
      ...createMethodHandlers({}),
      async GetExtendedAgentCard(_params, { binding, principal, signal }) {
        const skills = await askOwner(dispatcher, { binding, principal, signal, serviceParameters: VERSION });
        const known = buildExtendedAgentCard(card(), { skills: [], overStdio: false });
        const there = new Set(known.skills.map(({ id }) => id));
        return { ...known, skills: [...known.skills, ...skills.filter(({ id }) => !there.has(id))] };
      },
    },
    clock,
    ids,
    logger,
  });
  return {
    dispatch(message, context) {
      const parsed =
        typeof message === "string" || message instanceof Uint8Array ? parseMessage(message) : message;
      if (parsed.kind === "batch" && parsed.entries.some(asksForCard))
        return dispatchParts(parsed.entries, own, dispatcher, context);
      return (asksForCard(parsed) ? own : dispatcher).dispatch(parsed, context);
    },
  };
}

type Entry = Extract<ParsedMessage, { kind: "batch" }>["entries"][number];

function asksForCard(message: ParsedMessage): boolean {
  return message.kind === "call" && SPELLINGS.has(message.request.method);
}

/** Both parts stay batches, since what a batch may not hold is refused in one alone. Answers in the order of the entries. */
async function dispatchParts(
  entries: readonly Entry[],
  own: Dispatcher,
  owner: Dispatcher,
  context: CallContext,
): Promise<DispatchAnswer> {
  const part = async (dispatcher: Dispatcher, some: readonly Entry[]) =>
    some.length === 0
      ? []
      : responsesOf(await dispatcher.dispatch({ kind: "batch", entries: some }, context));
  const [mine, others] = await Promise.all([
    part(own, entries.filter(asksForCard)),
    part(
      owner,
      entries.filter((entry) => !asksForCard(entry)),
    ),
  ]);
  const answered = entries.filter((entry) => entry.kind === "invalid" || entry.request.id !== undefined);
  const ordered = answered.flatMap((entry) => (asksForCard(entry) ? mine : others).shift() ?? []);
  const responses = [...ordered, ...mine, ...others];
  return responses.length === 0 ? { kind: "none" } : { kind: "batch", responses, serviceParameters: {} };
}

function responsesOf(answer: DispatchAnswer): JsonRpcResponse[] {
  if (answer.kind === "batch") return [...answer.responses];
  return answer.kind === "one" ? [answer.response] : [];
}

const VERSION = { "a2a-version": "1.0" };

async function askOwner(dispatcher: Dispatcher, context: CallContext): Promise<readonly AgentSkill[]> {
  const request = { jsonrpc: "2.0", id: 1, method: "GetExtendedAgentCard", params: {} } as const;
  const answer = await dispatcher.dispatch({ kind: "call", request }, context);
  if (answer.kind === "one" && "result" in answer.response)
    return (answer.response.result as { readonly skills: readonly AgentSkill[] }).skills;
  throw new ProtocolError("ShuttingDown", {
    message: "The agent that owns the data directory does not answer; try again",
  });
}
