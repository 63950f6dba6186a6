import {
  type AskAnswer,
  AskMismatchError,
  type AskRequest,
  type ChosenChange,
  clearAnswer,
  DigestMismatchError,
  FencedError,
  INTERRUPTED_STATES,
  isTerminal,
  type JsonObject,
  type Message,
  type Plan,
  PlanStateError,
} from "@cleveragents/domain";
import { raisedLimit } from "../plans/answering-guards.ts";
import { planOf } from "../plans/plan-document.ts";
import type { Clock, IdGenerator } from "../ports/clock.ts";
import { type FailPoint, WITH_FAIL_POINTS } from "../ports/fail-point.ts";
import { InboxConflictError, type TaskRow, type TaskStore } from "../ports/task-store.ts";
import { askMessage, type GivenAnswer } from "../wire/ask.ts";

/** An answer in a form that leaves no doubt. */
export interface Decision {
  readonly request: AskRequest;
  readonly choice: string;
  readonly text?: string;
  readonly chosen?: ChosenChange;
  /** What goes with the answer and is no part of the decision. */
  readonly details?: JsonObject;
}

/**
 * The one way to answer what a plan asks. An answer goes into the plan's inbox and its log in one commit; one request
 * takes one decision: the same again is accepted, another one is `AskMismatchError`.
 */
export class AskService {
  readonly #store: TaskStore;
  readonly #clock: Clock;
  readonly #ids: IdGenerator;
  readonly #wake: (taskId: string) => Promise<void>;
  readonly #failPoint: FailPoint | undefined;

  constructor(deps: {
    readonly store: TaskStore;
    readonly clock: Clock;
    readonly ids: IdGenerator;
    /** Wakes the plan's worker; a hint. */
    readonly wake: (taskId: string) => Promise<void>;
    readonly failPoint?: FailPoint | undefined;
  }) {
    this.#store = deps.store;
    this.#clock = deps.clock;
    this.#ids = deps.ids;
    this.#wake = deps.wake;
    this.#failPoint = deps.failPoint;
  }

  /** What a structured answer decides. Throws `AskMismatchError`, or `DigestMismatchError` for another changeset. */
  read(plan: Plan, given: GivenAnswer): Decision {
    const request = this.#open(plan, given.requestId);
    if (given.digest !== undefined && request.kind === "apply" && given.digest !== request.digest) {
      throw new DigestMismatchError(plan.planId, given.digest, request.digest ?? "nothing");
    }
    const named = given.choice === undefined ? undefined : optionOf(request, given.choice);
    if (named !== undefined) checkAmount(request, named, given.text);
    if (named !== undefined)
      return { request, choice: named, ...(given.text === undefined ? {} : { text: given.text }) };
    // An option that is none is a slip, and no answer in words; where there are none, all answers are words.
    const free = request.options.length === 0 ? (given.text ?? given.choice) : given.text;
    const slip = given.choice !== undefined && request.options.length > 0;
    if (request.freeText && free !== undefined && !slip) return { request, choice: "text", text: free };
    const options = request.options.map((option) => option.id).join(", ");
    const words = request.freeText ? "; an answer in words is a text" : "";
    throw new AskMismatchError(
      plan.planId,
      given.choice === undefined
        ? `choose one of ${options}${words}`
        : `"${given.choice}" is not one of ${options}${words}`,
      request.requestId,
    );
  }

  /** What plain text decides; undefined when it is not clear, so that the question is asked again. */
  readText(plan: Plan, text: string): Decision | undefined {
    const request = this.#open(plan, undefined);
    const named = request.options.find((option) => option.id.toLowerCase() === text.trim().toLowerCase());
    if (named !== undefined) return { request, choice: named.id };
    if (request.kind === "conflict") return undefined;
    if (request.kind === "question")
      return request.freeText && text.trim() !== "" ? { request, choice: "text", text } : undefined;
    const verdict = clearAnswer(text);
    if (verdict === "unclear") return undefined;
    const option = request.options[verdict === "yes" ? 0 : 1];
    return option === undefined ? undefined : { request, choice: option.id };
  }

  /**
   * Records the decision together with the message that carried it, and lets the plan go on. Throws
   * `AskMismatchError` when the request has another answer, `PlanStateError` when the plan has ended without one.
   */
  async answer(row: TaskRow, decision: Decision, by: string, message?: Message): Promise<AskAnswer> {
    const { request, choice, text, chosen, details } = decision;
    const answer: AskAnswer = {
      requestId: request.requestId,
      choice,
      by,
      at: this.#clock.now(),
      ...(text === undefined ? {} : { text }),
      ...(chosen === undefined ? {} : { chosen }),
      ...(details === undefined ? {} : { details }),
    };
    const key = `answer:${request.requestId}`;
    const received = message ?? this.#messageOf(row, request, answer);
    try {
      await this.#store.commit({
        taskId: row.taskId,
        // The request is unique and answered once, so it does not matter which worker waits for it by now.
        expect: { states: INTERRUPTED_STATES },
        inbox: { add: [{ key, body: answer as unknown as JsonObject }] },
        ...(message === undefined ? {} : { claimMessage: { principal: by, messageId: message.messageId } }),
        events: [
          {
            key: `answered:${request.requestId}`,
            event: {
              type: "status",
              state: "working",
              received: { ...received, taskId: row.taskId, contextId: row.contextId },
              domain: {
                name: "ask.answered",
                data: {
                  request_id: request.requestId,
                  kind: request.kind,
                  choice,
                  ...(text === undefined ? {} : { text }),
                  ...(chosen === undefined ? {} : { digest: chosen.digest }),
                },
              },
            },
          },
        ],
      });
    } catch (error) {
      if (!(error instanceof InboxConflictError) && !(error instanceof FencedError)) throw error;
      await this.#sameOrConflict(row.taskId, key, answer);
    }
    if (WITH_FAIL_POINTS) this.#failPoint?.("service.answer.recorded");
    await this.#wake(row.taskId);
    return answer;
  }

  /** Keeps an unclear message and says the question again; nothing is decided. */
  async askAgain(row: TaskRow, message: Message): Promise<void> {
    const request = this.#open(planOf(row), undefined);
    await this.#store.commit({
      taskId: row.taskId,
      expect: { states: INTERRUPTED_STATES },
      claimMessage: { principal: row.principal, messageId: message.messageId },
      events: [
        {
          key: `unclear:${message.messageId}`,
          event: {
            type: "status",
            state: row.state,
            received: { ...message, taskId: row.taskId, contextId: row.contextId },
            message: askMessage(request, this.#ids.next(), row.contextId),
            domain: { name: "ask.unclear", data: { request_id: request.requestId } },
          },
        },
      ],
    });
  }

  #open(plan: Plan, requestId: string | undefined): AskRequest {
    const { open } = plan;
    if (open === undefined) throw new AskMismatchError(plan.planId, "the plan asks nothing");
    if (requestId !== undefined && requestId !== open.requestId) {
      throw new AskMismatchError(plan.planId, `the open request is ${open.requestId}`, open.requestId);
    }
    return open;
  }

  async #sameOrConflict(taskId: string, key: string, answer: AskAnswer): Promise<void> {
    const there =
      (await this.#store.inbox(taskId)).find((entry) => entry.key === key)?.body ??
      (await this.#answered(taskId, answer.requestId));
    const digest =
      (there?.["chosen"] as { readonly digest?: string } | undefined)?.digest ?? there?.["digest"];
    if (
      there?.["choice"] === answer.choice &&
      there["text"] === answer.text &&
      digest === answer.chosen?.digest
    )
      return;
    const row = await this.#store.load(taskId);
    if (there === undefined && row !== undefined && isTerminal(row.state))
      throw new PlanStateError(taskId, planOf(row).stage, "it ended before the answer came");
    throw new AskMismatchError(taskId, "this request has its answer already");
  }

  /** The decision on a request that the plan has taken out of its inbox already; the log keeps it. */
  async #answered(taskId: string, requestId: string): Promise<JsonObject | undefined> {
    for (
      let page = await this.#store.events(taskId, 0);
      page.length > 0;
      page = await this.#store.events(taskId, page.at(-1)?.seq ?? 0)
    ) {
      const found = page.find(
        ({ event }) =>
          event.domain?.name === "ask.answered" && event.domain.data?.["request_id"] === requestId,
      );
      if (found !== undefined) return found.event.domain?.data;
    }
    return undefined;
  }

  #messageOf(row: TaskRow, request: AskRequest, answer: AskAnswer): Message {
    const data: JsonObject = {
      type: "approval_response",
      request_id: request.requestId,
      choice: answer.choice,
      ...(answer.text === undefined ? {} : { text: answer.text }),
      ...(request.digest === undefined ? {} : { digest: answer.chosen?.digest ?? request.digest }),
    };
    return {
      messageId: this.#ids.next(),
      role: "user",
      taskId: row.taskId,
      contextId: row.contextId,
      parts: [{ kind: "data", data }],
    };
  }
}

/** The text of a raise is the new limit, which has to leave something to use. */
function checkAmount(request: AskRequest, choice: string, text: string | undefined): void {
  if (request.kind !== "budget" || choice !== "raise" || text === undefined) return;
  if (raisedLimit(request, text) !== undefined) return;
  const used = String(request.details?.["used"]);
  throw new AskMismatchError(
    request.planId,
    `"${text}" is no limit above the ${used} that are used`,
    request.requestId,
  );
}

/** The option that a choice means; `yes` and `no` stand for the first and the second. */
function optionOf(request: AskRequest, choice: string): string | undefined {
  const exact = request.options.find((option) => option.id === choice);
  if (exact !== undefined) return exact.id;
  if (request.kind === "question" || request.kind === "conflict") return undefined;
  if (choice === "yes" || choice === "approve") return request.options[0]?.id;
  if (choice === "no" || choice === "reject") return request.options[1]?.id;
  return undefined;
}
