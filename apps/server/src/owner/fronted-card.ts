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
  type Dispatcher,
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
      const mine = parsed.kind === "call" && SPELLINGS.has(parsed.request.method);
      return (mine ? own : dispatcher).dispatch(parsed, context);
    },
  };
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
