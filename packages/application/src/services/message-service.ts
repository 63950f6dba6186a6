import {
  AskMismatchError,
  isInterrupted,
  isTerminal,
  type JsonObject,
  type Message,
  type Session,
  SessionBusyError,
  TaskStateError,
  textOf,
} from "@cleveragents/domain";
import {
  APPROVAL_MEDIA_TYPE,
  type Principal,
  ProtocolError,
  type StreamElement,
} from "@cleveragents/protocol";
import type { AskService } from "../ask/ask-service.ts";
import { PagedElements } from "../log/paged-elements.ts";
import type { TaskFeeds } from "../log/task-feed.ts";
import { followFrom } from "../log/task-subscription.ts";
import {
  type MessageDocument,
  messageDocumentOf,
  toDocument,
  turnRun,
} from "../messages/message-document.ts";
import type { MessageRunner } from "../messages/message-runner.ts";
import { LONGEST_LINE, type SessionLine } from "../messages/session-line.ts";
import { planOf } from "../plans/plan-document.ts";
import type { IdGenerator } from "../ports/clock.ts";
import type { RegistryStore } from "../ports/registry-store.ts";
import type { SessionStore } from "../ports/session-store.ts";
import { MessageSeenError, type TaskRow, type TaskStore } from "../ports/task-store.ts";
import { readAnswer } from "../wire/ask.ts";
import { toWireMessage } from "../wire/message.ts";
import { ownTask } from "./access.ts";
import { readActionCall } from "./action-call.ts";
import { assertAttachments } from "./attachments.ts";
import { anyContext, type Context } from "./contexts.ts";
import { checkInputModes } from "./input-modes.ts";
import type { PlanService } from "./plan-service.ts";
import { type InlinePush, type PushService, pushOf } from "./push-service.ts";
import { toldAction } from "./told-action.ts";
import { untilAtRest } from "./waiting.ts";

export interface MessageServiceDeps {
  readonly store: TaskStore;
  readonly feeds: TaskFeeds;
  readonly registry: RegistryStore;
  readonly sessions: SessionStore;
  readonly ids: IdGenerator;
  readonly asks: AskService;
  readonly plans: PlanService;
  /** Who answers messages that neither start nor answer a plan; undefined when nobody does. */
  readonly runner: MessageRunner | undefined;
  /** Where messages of sessions wait for their turn; they are answered as all others are when absent. */
  readonly line?: SessionLine | undefined;
  /** Undefined where nothing is pushed. */
  readonly push: PushService | undefined;
}

export interface SendRequest {
  readonly message: Message;
  /** By its full name: who answers in place of who answers in the context. */
  readonly actor?: string | undefined;
  /** Of the plan that an action starts with what is said. */
  readonly project?: string | undefined;
  readonly workingDirectory?: string | undefined;
  /** It may do what cannot be undone. */
  readonly unsafe?: boolean | undefined;
  readonly acceptedOutputModes?: readonly string[] | undefined;
  /** Where the events of the message's task are to be posted. */
  readonly push?: InlinePush | undefined;
  readonly signal: AbortSignal;
}

/** What plans and their questions take. */
const PLAN_INPUT_MODES = ["text/*", "application/json", APPROVAL_MEDIA_TYPE];

/** A message that is durable, or that needs no task. Work on it begins with `begin`, so that nothing of it is missed. */
type Accepted = AcceptedTask | { readonly message: Message };
interface AcceptedTask {
  readonly taskId: string;
  /** Where the task's log was before the message; undefined for one that was there already. */
  readonly since: number | undefined;
  begin(): void;
}

/** A2A §3.1.1 and §3.1.2: who a message is for, and what comes of it. Every task is the caller's own. */
export class MessageService {
  readonly #deps: MessageServiceDeps;

  constructor(deps: MessageServiceDeps) {
    this.#deps = deps;
  }

  /** Answers the id of the task that the message belongs to now, or a message when it belongs to none. */
  async send(
    principal: Principal,
    request: SendRequest & { readonly returnImmediately: boolean },
  ): Promise<{ readonly taskId: string } | { readonly message: Message }> {
    const accepted = await this.#accept(principal, request);
    if ("message" in accepted) return accepted;
    try {
      await this.#owe(accepted, request);
    } finally {
      accepted.begin();
    }
    if (!request.returnImmediately) await untilAtRest(this.#deps.store, accepted.taskId, request.signal);
    return { taskId: accepted.taskId };
  }

  /** The Task or the message first, then every event until the task is over or waits for input. */
  stream(
    principal: Principal,
    request: SendRequest & { readonly historyLength: number | undefined },
  ): AsyncIterable<StreamElement> {
    return new PagedElements(this.#pages(principal, request));
  }

  async *#pages(
    principal: Principal,
    request: SendRequest & { readonly historyLength: number | undefined },
  ): AsyncGenerator<readonly StreamElement[], void> {
    const accepted = await this.#accept(principal, request);
    if ("message" in accepted) {
      yield [{ cursor: "", seq: 0, result: { message: toWireMessage(accepted.message) } }];
      return;
    }
    const { store, feeds } = this.#deps;
    const { historyLength, signal } = request;
    let snapshot: Awaited<ReturnType<TaskStore["snapshot"]>>;
    try {
      await this.#owe(accepted, request);
      snapshot = await store.snapshot(accepted.taskId, {
        artifacts: true,
        ...(historyLength === undefined ? {} : { historyLength }),
      });
    } finally {
      accepted.begin();
    }
    if (snapshot !== undefined)
      yield* followFrom(feeds, snapshot, {
        signal,
        ends: (state) => isTerminal(state) || state === "input-required",
      });
  }

  async #accept(principal: Principal, request: SendRequest): Promise<Accepted> {
    const { message, push } = request;
    const attached = (taskId: string) => ({ taskId, since: undefined, begin() {} });
    assertAttachments(message);
    if (push !== undefined) pushOf(this.#deps.push).check(push, message);
    const { store } = this.#deps;
    // The commit that makes a task for a message claims it, and says whose it is: asking before would be for nothing.
    const claimed = this.#makesTask(message);
    const seen = claimed ? undefined : await store.taskOfMessage(principal.id, message.messageId);
    if (seen !== undefined) return attached(seen);
    try {
      for (const referred of message.referenceTaskIds ?? []) await ownTask(store, principal, referred);
      return await this.#route(principal, request);
    } catch (error) {
      // The same message came twice at once: both belong to the task of the first.
      if (error instanceof MessageSeenError) return attached(error.taskId);
      // What was taken once is not refused the second time, whatever has changed meanwhile.
      const late = claimed ? await store.taskOfMessage(principal.id, message.messageId) : undefined;
      if (late !== undefined) return attached(late);
      throw error;
    }
  }

  /** Whether nothing can come of a message but a task of its own. */
  #makesTask({ taskId = "", parts }: Message): boolean {
    const { runner } = this.#deps;
    const answers = runner?.own !== undefined && runner.own.reply === undefined;
    return answers && taskId === "" && parts.every(({ kind }) => kind !== "data");
  }

  async #route(principal: Principal, request: SendRequest): Promise<Accepted> {
    const { message } = request;
    if (message.taskId !== undefined && message.taskId !== "") {
      const row = await ownTask(this.#deps.store, principal, message.taskId);
      checkContext(row, message);
      if (row.kind === "message") return this.#nextTurn(row, request);
      await this.#tellPlan(principal, row, message);
      return { taskId: row.taskId, since: row.lastSeq, begin() {} };
    }
    // Who names an actor speaks to that one, whatever it says.
    const call = request.actor === undefined ? readActionCall(message) : undefined;
    if (call !== undefined) {
      const plan = await this.#deps.plans.use(principal, { ...call, contextId: message.contextId, message });
      return { taskId: plan.planId, since: 0, begin() {} };
    }
    return this.#firstTurn(principal, request);
  }

  async #firstTurn(principal: Principal, request: SendRequest): Promise<Accepted> {
    const { runner, ids, line } = this.#deps;
    const { message } = request;
    const context = await anyContext(this.#deps, principal, message.contextId);
    const { contextId, session } = context;
    const actor = await runner?.actorOf(request.actor ?? session?.actor);
    checkInputModes(message, actor === undefined ? PLAN_INPUT_MODES : actor.inputModes);
    if (runner === undefined || actor === undefined) return this.#unanswered(principal, request, context);
    const waits = session !== undefined && line !== undefined;
    const reply = waits ? undefined : await actor.reply?.({ ...message, contextId }, request.signal);
    if (reply !== undefined)
      return { message: { messageId: ids.next(), role: "agent", contextId, parts: reply } };
    if (waits) await this.#assertRoom(principal, contextId);
    const taskId = ids.next();
    const received: Message = { ...message, taskId, contextId };
    const document = this.#document(runner, 1, request, session);
    const { epoch } = await this.#deps.store.commit({
      taskId,
      create: {
        contextId,
        principal: principal.id,
        kind: "message",
        referenceTaskIds: message.referenceTaskIds ?? [],
      },
      document: toDocument(document),
      runId: turnRun(document),
      events: [
        { key: `received:${message.messageId}`, event: { type: "status", state: "submitted", received } },
        ...(waits ? [] : [{ key: "t1:working", event: { type: "status", state: "working" } } as const]),
      ],
      claimMessage: { principal: principal.id, messageId: message.messageId },
    });
    const turn = { taskId, contextId, principal: principal.id, epoch, document, message: received };
    return { taskId, since: 0, begin: () => void (waits ? line.call(contextId) : runner.begin(turn)) };
  }

  async #nextTurn(row: TaskRow, request: SendRequest): Promise<Accepted> {
    const { runner, store, line } = this.#deps;
    const { message } = request;
    const { taskId, contextId, principal, epoch, revision } = row;
    if (isTerminal(row.state))
      throw new TaskStateError(taskId, row.state, "a finished task takes no more messages");
    const before = messageDocumentOf(row);
    if (before.leaseUntil !== undefined || before.queued === true)
      throw new TaskStateError(
        taskId,
        row.state,
        "the task is still being worked on; wait for it, or cancel it",
      );
    const actor = await runner?.actorOf(before.actor);
    if (runner === undefined || actor === undefined)
      throw new TaskStateError(taskId, row.state, "nobody answers messages here any more");
    checkInputModes(message, actor.inputModes);
    const { session } = await anyContext(this.#deps, { id: principal, scopes: [] }, contextId);
    const waits = session !== undefined && line !== undefined;
    if (waits) await this.#assertRoom({ id: principal, scopes: [] }, contextId);
    const received: Message = { ...message, taskId, contextId };
    const named = { ...request, actor: before.actor };
    const document: MessageDocument = {
      ...this.#document(runner, before.turn + 1, named, session),
      // What earlier turns have used stays used.
      ...(before.modelUse === undefined ? {} : { modelUse: before.modelUse }),
    };
    await store.commit({
      taskId,
      expect: { epoch, revision },
      document: toDocument(document),
      runId: turnRun(document),
      events: [
        { key: `received:${message.messageId}`, event: { type: "status", state: "working", received } },
      ],
      claimMessage: { principal, messageId: message.messageId },
    });
    const turn = { taskId, contextId, principal, epoch, document, message: received };
    return {
      taskId,
      since: row.lastSeq,
      begin: () => void (waits ? line.call(contextId) : runner.begin(turn)),
    };
  }

  /** A line that nobody can see the end of helps no one. */
  async #assertRoom({ id }: Principal, contextId: string): Promise<void> {
    const { total } = await this.#deps.store.list({
      principal: id,
      contextId,
      kind: "message",
      states: ["submitted", "working"],
      limit: 1,
    });
    if (total >= LONGEST_LINE) throw new SessionBusyError(contextId, total);
  }

  /**
   * An action for an actor is carried out with what was said; of other actors it is said that they do not converse. The
   * same message again is what it became before somebody took the actor away.
   */
  async #unanswered(
    principal: Principal,
    { message, project, workingDirectory }: SendRequest,
    { contextId, session }: Context,
  ): Promise<Accepted> {
    const seen = await this.#deps.store.taskOfMessage(principal.id, message.messageId);
    if (seen !== undefined) return { taskId: seen, since: undefined, begin() {} };
    const { registry, plans } = this.#deps;
    const told =
      session?.actor === undefined ? undefined : await toldAction(registry, session.actor, message);
    if (told !== undefined) {
      const plan = await plans.use(principal, { ...told, project, workingDirectory, contextId, message });
      return { taskId: plan.planId, since: 0, begin() {} };
    }
    return { message: await this.#orientation(contextId, session?.actor) };
  }

  /**
   * After the message is durable and before its work begins: what is owed is read from the log, so nothing of it is
   * missed; a caller who was cut off in between sends the message again.
   */
  async #owe({ taskId, since }: AcceptedTask, { push, message }: SendRequest): Promise<void> {
    if (push !== undefined) await pushOf(this.#deps.push).owe(push, { taskId, since, message });
  }

  #document(
    runner: MessageRunner,
    turn: number,
    { acceptedOutputModes, unsafe, ...named }: SendRequest,
    session: Session | undefined,
  ): MessageDocument {
    const actor = named.actor ?? session?.actor;
    const waits = session !== undefined && this.#deps.line !== undefined;
    return {
      turn,
      attempt: 1,
      ...(waits ? { queued: true } : { leaseUntil: runner.lease() }),
      ...(session === undefined ? {} : { session: true }),
      ...(actor === undefined ? {} : { actor }),
      ...(unsafe === true ? { unsafe } : {}),
      ...(acceptedOutputModes === undefined ? {} : { acceptedOutputModes }),
    };
  }

  async #tellPlan(principal: Principal, row: TaskRow, message: Message): Promise<void> {
    const { asks, plans } = this.#deps;
    if (isTerminal(row.state))
      throw new TaskStateError(row.taskId, row.state, "a finished task takes no more messages");
    const plan = planOf(row);
    const read = readAnswer(message);
    if (read.kind === "conflicting")
      throw new AskMismatchError(row.taskId, "the message answers twice, and not the same");
    if (read.kind === "structured") {
      await asks.answer(row, asks.read(plan, read.answer), principal.id, message);
      return;
    }
    if (!isInterrupted(row.state) || plan.open === undefined)
      return plans.guide(row, message, textOf(message));
    const decision = asks.readText(plan, read.text);
    if (decision === undefined) await asks.askAgain(row, message);
    else await asks.answer(row, decision, principal.id, message);
  }

  /** Where there is nobody to talk to: says what can be done instead of pretending. */
  async #orientation(contextId: string, actor: string | undefined): Promise<Message> {
    const actions = (await this.#deps.registry.list("action")).map((entry) => entry.name);
    const known =
      actions.length === 0 ? "There is no action yet: add one first." : `Actions: ${actions.join(", ")}.`;
    const why =
      actor === undefined ? "No model is configured" : `The session's actor ${actor} does not converse`;
    const text = `${why}, so text alone starts nothing. Send a data part like {"action_name": "…", "arguments": {…}, "project": "…"} to start a plan. ${known}`;
    const data: JsonObject = { type: "orientation", actions };
    return {
      messageId: this.#deps.ids.next(),
      role: "agent",
      contextId,
      parts: [
        { kind: "text", text },
        { kind: "data", data },
      ],
    };
  }
}

function checkContext(row: TaskRow, message: Message): void {
  if (message.contextId === undefined || message.contextId === "" || message.contextId === row.contextId)
    return;
  throw new ProtocolError("InvalidParams", {
    violations: [{ field: "message.contextId", description: "the task belongs to another context" }],
  });
}
