import { type Client, followTask, type ParamsInputOf, RemoteError } from "@cleveragents/protocol";
import { CliError } from "../cli-error.ts";
import type { Invocation } from "../command/command.ts";
import { EXIT } from "../exit-codes.ts";
import { clean } from "../output/clean.ts";
import { summarize } from "./apply-summary.ts";
import { type Ask, nextCommands, type PlanStatus } from "./ask-text.ts";
import { observe } from "./observe.ts";
import { isWaiting } from "./outcome.ts";
import { type Answer, readAnswer } from "./read-answer.ts";
import { showPatch } from "./show-patch.ts";

/** Gives the answer, once the plan is followed again; false if somebody else was quicker. */
type Start = () => Promise<boolean>;

/**
 * Asks at the terminal what a plan waits for. `left`: it stays open; `elsewhere`: it was answered meanwhile. Ctrl-C leaves it
 * open too, and ends the command.
 */
export async function answerHere(
  invocation: Invocation,
  status: PlanStatus,
): Promise<Start | "left" | "elsewhere"> {
  const ask = status.waiting_for;
  if (ask === undefined) return "elsewhere";
  const client = await invocation.client();
  const question = new Question(invocation, client, status.plan_id);
  const answer = ask.kind === "apply" ? await question.apply() : await question.options(ask);
  if (answer === undefined) return question.answeredElsewhere ? "elsewhere" : left(invocation, status);
  const { plan_id } = status;
  return async () => {
    try {
      await answer({ plan_id, request_id: ask.request_id });
    } catch (error) {
      if (!RemoteError.is(error) || error.reason !== "NOTHING_OPEN") throw error;
      invocation.output.note("It was answered elsewhere.");
      return false;
    }
    return true;
  };
}

function left({ output }: Invocation, status: PlanStatus): "left" {
  output.note(`It stays open: ${nextCommands(status)[0] ?? `agents plan status ${status.plan_id}`}`);
  return "left";
}

type Give = (to: { readonly plan_id: string; readonly request_id: string }) => Promise<unknown>;

/** One question at the terminal, for as long as nobody else answers it. */
class Question {
  answeredElsewhere = false;
  readonly #invocation: Invocation;
  readonly #client: Client;
  readonly #planId: string;

  constructor(invocation: Invocation, client: Client, planId: string) {
    this.#invocation = invocation;
    this.#client = client;
    this.#planId = planId;
  }

  async options(ask: Ask): Promise<Give | undefined> {
    const { prompt, options, free_text } = clean(ask);
    const lines = options.map(({ id, label }, at) => `  ${at + 1}  ${label === "" ? id : label}`);
    this.#say([prompt, ...lines].join("\n"));
    const how =
      options.length === 0
        ? "Answer in words"
        : `Answer with ${options.length === 1 ? "1" : `1 to ${options.length}`}${free_text ? ", or in words" : ""}`;
    for (;;) {
      const line = await this.#line(`${how}; Enter leaves it open: `);
      if (line === undefined || line === "") return undefined;
      const answer = readAnswer(line, ask);
      if (answer !== undefined)
        return ({ plan_id, request_id }) => this.#approve(answer, plan_id, request_id);
      this.#say(`That is none of the answers: ${options.map(({ id }) => id).join(", ")}`);
    }
  }

  /** Only a typed yes applies anything, and exactly what was shown. */
  async apply(): Promise<Give | undefined> {
    const { output, options } = this.#invocation;
    const call = { timeoutMs: options.timeoutMs };
    const diff = await this.#client.call(
      "_cleveragents/plan/diff",
      { plan_id: this.#planId, include_patch: false },
      call,
    );
    summarize(diff, output, (line) => this.#say(line));
    for (;;) {
      const line = await this.#line(
        "Only 'yes' applies it; d shows the changes, Enter leaves them for later: ",
      );
      if (line === "yes")
        return ({ plan_id }) =>
          this.#client.call("_cleveragents/plan/apply", { plan_id, digest: diff.digest }, call);
      if (line !== "d") return undefined;
      const { patch = "" } = await this.#client.call(
        "_cleveragents/plan/diff",
        { plan_id: this.#planId, include_patch: true },
        call,
      );
      await showPatch(patch, this.#invocation, true);
    }
  }

  #approve({ option, text }: Answer, plan_id: string, request_id: string) {
    const params: ParamsInputOf<"_cleveragents/plan/approve"> = { plan_id, request_id, option, text };
    return this.#client.call("_cleveragents/plan/approve", params, {
      timeoutMs: this.#invocation.options.timeoutMs,
    });
  }

  #say(text: string): void {
    this.#invocation.context.stderr.write(`${text}\n`);
  }

  /** A line of input, trimmed. Undefined at its end, or when somebody else has answered. Throws INTERRUPTED. */
  async #line(prompt: string): Promise<string | undefined> {
    const { context } = this.#invocation;
    const stop = new AbortController();
    let interrupted = false;
    const silence = context.onInterrupt(() => {
      interrupted = true;
      stop.abort();
    });
    context.stderr.write(prompt);
    void this.#untilAnswered(stop.signal).then((answered) => {
      this.answeredElsewhere ||= answered;
      if (answered) stop.abort();
    });
    try {
      const line = await context.stdin.readLine(stop.signal);
      if (line === undefined) context.stderr.write("\n");
      if (this.answeredElsewhere) this.#say("It was answered elsewhere.");
      else if (interrupted) throw leftOpen(this.#planId);
      return line?.trim();
    } finally {
      silence();
      stop.abort();
    }
  }

  /** Whether the plan has gone on; false when it is no longer of interest, or cannot be told. */
  async #untilAnswered(signal: AbortSignal): Promise<boolean> {
    try {
      for await (const { result } of followTask(this.#client, this.#planId, { signal })) {
        const { taskState } = observe(result);
        if (taskState !== undefined && !isWaiting(taskState)) return !signal.aborted;
      }
    } catch {
      // It can be answered all the same.
    }
    return false;
  }
}

function leftOpen(planId: string): CliError {
  return new CliError("INTERRUPTED", `interrupted; plan ${planId} waits for an answer`, {
    hint: `to answer: agents plan status ${planId}`,
    exitCode: EXIT.INTERRUPTED,
  });
}
