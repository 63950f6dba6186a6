import { createHash } from "node:crypto";
import {
  InputNeededError,
  type ToolContext,
  type ToolDescriptor,
  ToolError,
} from "@cleveragents/application";
import type { CallInput, McpServer } from "@cleveragents/domain";
import { elicitationOf, elicitedBy, questionOf } from "./elicitation-form.ts";
import type { McpPeer } from "./mcp-client.ts";
import { modelRequestOf, samplingResultOf } from "./sampling-request.ts";

const REFUSED = -32603;
const WRONG = -32602;

/**
 * Who answers what a server asks in the middle of one call. What nobody has answered yet ends the call, which is made
 * again with the answer; so that is asked only where a call can be made again: what it has done is undone with the
 * sandbox, or it has done nothing, as a server of the newer era says by asking.
 */
export class CallPeer implements McpPeer {
  readonly #server: McpServer;
  readonly #descriptor: ToolDescriptor;
  readonly #context: ToolContext;
  readonly #over = new AbortController();
  readonly #asked = new Map<string, number>();
  /** What the call ends with, whatever the server makes of it. */
  needed: InputNeededError | undefined;
  /** Fires when the call cannot go on. */
  readonly signal: AbortSignal;

  constructor(server: McpServer, descriptor: ToolDescriptor, context: ToolContext) {
    this.#server = server;
    this.#descriptor = descriptor;
    this.#context = context;
    this.signal = AbortSignal.any([context.signal, this.#over.signal]);
  }

  async elicit(params: unknown, isModern: boolean): Promise<object> {
    const { inputs } = this.#context;
    if (inputs === undefined) throw refusal("nobody can be asked in this phase");
    const wanted = elicitationOf(params);
    const key = this.#keyOf(JSON.stringify(wanted));
    const given = answersTo(inputs, key);
    const last = given.at(-1);
    const elicited = last === undefined ? undefined : elicitedBy(last.value, wanted);
    if (typeof elicited === "object") return elicited;
    this.#assertRepeatable(isModern);
    throw this.#end(
      new InputNeededError(questionOf(this.#server.name, `${key}:${given.length}`, wanted, elicited)),
    );
  }

  async sample(params: unknown, isModern: boolean): Promise<object> {
    const { sampling } = this.#server;
    const { sample } = this.#context;
    if (sampling === undefined) throw refusal("its document names no model that it may ask (sampling)");
    if (sample === undefined) throw refusal("no model can be asked in this phase");
    const request = modelRequestOf(params);
    if (typeof request === "string") throw refusal(request, WRONG);
    try {
      return samplingResultOf(sampling, await sample(sampling, request));
    } catch (error) {
      if (error instanceof ToolError) throw refusal(error.message);
      if (!(error instanceof InputNeededError)) throw error;
      this.#assertRepeatable(isModern);
      throw this.#end(error);
    }
  }

  #assertRepeatable(isModern: boolean): void {
    const { effect, idempotent } = this.#descriptor;
    if (isModern || idempotent || effect === "none" || effect === "sandbox") return;
    throw refusal(
      "somebody would have to answer, and the call could not be made again with the answer: what it does cannot be undone",
    );
  }

  #end(needed: InputNeededError): Error {
    this.needed ??= needed;
    this.#over.abort(needed);
    return refusal("somebody is asked; the call is made again with the answer");
  }

  /** The second time that a call asks the same is another question. */
  #keyOf(what: string): string {
    const count = (this.#asked.get(what) ?? 0) + 1;
    this.#asked.set(what, count);
    return `elicit:${createHash("sha256").update(what).digest("hex").slice(0, 16)}:${count}`;
  }
}

function answersTo(inputs: readonly CallInput[], key: string): readonly CallInput[] {
  return inputs.filter((input) => input.key.startsWith(`${key}:`));
}

/** What the server is told, as an error of JSON-RPC. */
function refusal(message: string, code = REFUSED): Error {
  return Object.assign(new Error(message), { code });
}
