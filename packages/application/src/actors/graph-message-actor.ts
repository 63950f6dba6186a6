import {
  DocumentError,
  type FlatGraph,
  type FlatNode,
  flattened,
  GraphActorSchema,
  GraphError,
  type GraphNeed,
  type Message,
  type ModelUse,
  type NodeResult,
  withUse,
} from "@cleveragents/domain";
import type { GraphRuntime, GraphState } from "../ports/graph-runtime.ts";
import type { MessageActor, MessageActors, MessageTurn, TurnEnd, TurnLog } from "../ports/message-actor.ts";
import type { RegistryStore } from "../ports/registry-store.ts";
import type { RemoteNodes } from "../ports/remote-nodes.ts";
import { ExpressionError } from "../script/expression.ts";
import { type ConversationTools, callInConversation, toolNamed, whyNotHere } from "./conversation-call.ts";
import { callOf } from "./graph-remote.ts";
import { GraphStuckError, readAnswer, rulesOf } from "./graph-rules.ts";
import { type ConversationDeps, LlmMessageActor } from "./llm-message-actor.ts";
import { budgetWords } from "./paying.ts";
import { outcomeText, SHOWN } from "./tool-text.ts";

export interface GraphTalkDeps {
  readonly conversation: ConversationDeps | undefined;
  readonly graphs: GraphRuntime;
  readonly remoteNodes: readonly RemoteNodes[];
  readonly registry: Pick<RegistryStore, "find">;
  readonly tools: ConversationTools;
}

/** Graphs that answer messages: registered actors of the type `graph`. */
export class GraphActors implements MessageActors {
  readonly #deps: GraphTalkDeps;

  constructor(deps: GraphTalkDeps) {
    this.#deps = deps;
  }

  async find(name: string): Promise<MessageActor | undefined> {
    const find = async (other: string) => (await this.#deps.registry.find("actor", other))?.document;
    const document = await find(name);
    if (document?.["type"] !== "graph") return undefined;
    const actor = GraphActorSchema.parse(document);
    return {
      unfit: async () => {
        try {
          return await this.#unfit(await flattened(actor, find), {});
        } catch (error) {
          if (error instanceof GraphError || error instanceof DocumentError) return error.message;
          throw error;
        }
      },
      run: async (turn, log) => {
        try {
          const graph = await flattened(actor, find);
          const why = turn.turn === 1 ? await this.#unfit(graph, turn) : undefined;
          if (why !== undefined)
            return {
              state: "rejected",
              parts: [{ kind: "text", text: `${name} does not do this here: ${why}` }],
              metadata: { reason: "ACTOR_UNSAFE" },
            };
          return await new GraphTalk(this.#deps, graph, turn, log).run();
        } catch (error) {
          turn.signal.throwIfAborted();
          if (error instanceof GraphError || error instanceof DocumentError)
            return failed(error.message, "GRAPH_INVALID", []);
          throw error;
        }
      },
    };
  }

  /** Before anything is done: the first of its tools that a conversation does not call, and why. */
  async #unfit(graph: FlatGraph, turn: Pick<MessageTurn, "unsafe">): Promise<string | undefined> {
    for (const [name, node] of Object.entries(graph.nodes)) {
      if (node.kind !== "tool") continue;
      const descriptor = await toolNamed(this.#deps.tools, node.tool);
      const why = descriptor === undefined ? `there is no tool ${node.tool}` : whyNotHere(descriptor, turn);
      if (why !== undefined) return `${name}: ${why}`;
    }
    return undefined;
  }
}

type Waits = { readonly end: TurnEnd } | NodeResult;

/** Ends of a turn that the next message goes on from. */
const GOES_ON: ReadonlySet<TurnEnd["state"]> = new Set(["input-required", "auth-required"]);

/** One turn of a conversation with a graph. How far it has come is kept by the task, so that a turn that was cut off goes on there. */
class GraphTalk {
  readonly #deps: GraphTalkDeps;
  readonly #graph: FlatGraph;
  readonly #turn: MessageTurn;
  readonly #log: TurnLog;
  #use: readonly ModelUse[] = [];
  /** A process that died may have begun what the graph wants first. */
  #again: boolean;

  constructor(deps: GraphTalkDeps, graph: FlatGraph, turn: MessageTurn, log: TurnLog) {
    this.#deps = deps;
    this.#graph = graph;
    this.#turn = turn;
    this.#log = log;
    this.#again = turn.attempt > 1;
  }

  async run(): Promise<TurnEnd> {
    try {
      return await this.#run();
    } catch (error) {
      this.#turn.signal.throwIfAborted();
      if (error instanceof GraphStuckError) return this.#failed(error.message, error.reason);
      if (error instanceof ExpressionError) return this.#failed(error.message, "GRAPH_EXPRESSION");
      throw error;
    }
  }

  async #run(): Promise<TurnEnd> {
    const { graphs } = this.#deps;
    const { taskId, history, signal } = this.#turn;
    const thread = `message:${taskId}`;
    const rules = rulesOf(this.#graph, {
      args: {},
      input: textOf(history[0] ?? this.#turn.message),
      guidance: [],
      attempt: 1,
    });
    let at = await graphs.newest(thread);
    let results: Record<string, NodeResult> = {};
    for (let steps = 0; steps < this.#graph.max_steps; ) {
      const moved = await graphs.advance({ ...rules, graph: this.#graph, thread, at, results, signal });
      if (moved.at !== at) steps++;
      at = moved.at;
      results = {};
      if (moved.finished) {
        await graphs.forget(thread);
        return this.#end("completed", moved.state.last);
      }
      for (const need of moved.needs) {
        const came = await this.#pursue({ ...need, callId: `${taskId}:${need.id}` }, moved.state);
        if ("end" in came) {
          if (!GOES_ON.has(came.end.state)) await graphs.forget(thread);
          return came.end;
        }
        results[need.id] = came;
      }
      this.#again = false;
    }
    return this.#failed(
      `${this.#graph.name} has not ended within its ${this.#graph.max_steps} steps`,
      "GRAPH_STEPS_EXHAUSTED",
    );
  }

  async #pursue(need: GraphNeed, state: GraphState): Promise<Waits> {
    const node = this.#graph.nodes[need.node] as FlatNode; // it was made of these
    switch (node.kind) {
      case "llm":
        return this.#speak(need, node);
      case "ask":
        return this.#ask(need, node, state);
      case "remote":
        return this.#elsewhere(need, node);
      case "tool":
        return this.#call(need, node);
      default:
        throw new Error(`${need.node} waits for nothing`);
    }
  }

  async #speak(need: GraphNeed, node: Extract<FlatNode, { kind: "llm" }>): Promise<Waits> {
    const { conversation } = this.#deps;
    if (conversation === undefined) return { end: this.#failed("there are no models here", "NOT_AVAILABLE") };
    const prompt = need.effect.kind === "llm" ? need.effect.prompt : "";
    const asked: Message = { ...this.#turn.message, parts: [{ kind: "text", text: prompt }] };
    const speaker = new LlmMessageActor(conversation, node.actor);
    const log: TurnLog = {
      status: (state, parts) => this.#log.status(state, parts),
      artifact: (update) =>
        this.#log.artifact({
          ...update,
          artifact: { ...update.artifact, artifactId: artifactOf(need), name: need.node },
        }),
    };
    const end = await speaker.run({ ...this.#turn, message: asked, history: [asked] }, log);
    for (const { calls: _, ...use } of end.use ?? []) this.#use = withUse(this.#use, use);
    if (end.state !== "completed") return { end: { ...end, use: this.#use } };
    const text = (end.parts ?? []).map((part) => (part.kind === "text" ? part.text : "")).join("");
    const read = readAnswer(node, text);
    if (!("problem" in read)) return read;
    return { end: this.#failed(`${need.node} has not answered with a JSON object`, "MODEL_BAD_RESPONSE") };
  }

  async #call(need: GraphNeed, node: Extract<FlatNode, { kind: "tool" }>): Promise<Waits> {
    const args = need.effect.kind === "tool" ? need.effect.args : {};
    const call = { callId: need.callId as string, tool: node.tool, args };
    const done = await callInConversation(this.#deps.tools, this.#turn, call, { again: this.#again });
    if ("result" in done) {
      const { text } = outcomeText({ ok: true, result: done.result }, SHOWN.normal);
      return { ok: true, text, value: done.result.value };
    }
    const { state, text, reason, metadata = {} } = done;
    if (state === "failed" && reason !== "BUDGET_EXCEEDED" && node.goesOn) return { ok: false, text };
    const words = [{ kind: "text" as const, text: `${need.node}: ${text}` }];
    return { end: { state, parts: words, metadata: { ...metadata, reason }, use: this.#use } };
  }

  /** A message answers one question: the one that the turn before it has ended with. */
  #ask(need: GraphNeed, { options, gate }: Extract<FlatNode, { kind: "ask" }>, state: GraphState): Waits {
    const { turn, message } = this.#turn;
    const used = Object.values(state.nodes).some(({ value }) => value?.["turn"] === turn);
    const question = need.effect.kind === "ask" ? need.effect.question : "";
    if (turn > 1 && !used) {
      const said = textOf(message).trim();
      const text = options.find((option) => option.toLowerCase() === said.toLowerCase()) ?? said;
      if (gate !== true) return { ok: true, text, value: { turn, text } };
      if (text === options[0]) return { ok: true, text, value: { turn } };
      return { end: this.#end("completed", `It was not let begin: ${need.node.replace(/\?$/, "")}`) };
    }
    const choices = options.length === 0 ? "" : `\n${options.map((option) => `- ${option}`).join("\n")}`;
    return { end: this.#end("input-required", `${question}${choices}`) };
  }

  async #elsewhere(need: GraphNeed, node: Extract<FlatNode, { kind: "remote" }>): Promise<Waits> {
    const carrier = this.#deps.remoteNodes.find(({ kind }) => kind === node.of);
    if (carrier === undefined)
      return {
        end: this.#failed(
          `${need.node} is an actor of the type ${node.of}, and such are not available here`,
          "NOT_AVAILABLE",
        ),
      };
    const { taskId, contextId, principal, signal } = this.#turn;
    const settings = carrier.settingsOf(node.settings);
    const breach = await this.#turn.budget?.reserve({ tool_calls: 1 });
    if (breach !== undefined) {
      const { text, metadata } = budgetWords(breach, `${need.node} was not asked`);
      return { end: { state: "failed", parts: [{ kind: "text", text }], metadata, use: this.#use } };
    }
    let begun = false;
    let writing: Promise<void> = Promise.resolve();
    let call = { ...callOf(need, node), settings };
    for (;;) {
      const step = await carrier.step(call, {
        taskId,
        contextId,
        principal,
        signal,
        again: this.#again,
        say: (text) => {
          const append = begun;
          begun = true;
          const artifact = {
            artifactId: artifactOf(need),
            name: need.node,
            parts: [{ kind: "text" as const, text }],
          };
          writing = writing.then(() => this.#log.artifact({ artifact, append }));
          writing.catch(() => undefined); // told below
        },
      });
      await writing;
      signal.throwIfAborted();
      // What waits for a credential has cost nothing yet, and is done by the turn that comes next.
      const waits = step.kind === "ask" && step.credential === true;
      if (step.kind !== "more") await this.#turn.budget?.settle(waits ? {} : { tool_calls: 1 });
      if (step.kind === "done") {
        const read = readAnswer(node, step.text);
        if (step.value !== undefined) return { ok: true, text: step.text, value: step.value };
        if (!("problem" in read)) return read;
        return { end: this.#failed(`${need.node} has not answered with a JSON object`, "GRAPH_BAD_ANSWER") };
      }
      if (step.kind === "failed") return { end: this.#failed(`${need.node}: ${step.message}`, step.reason) };
      if (step.kind === "ask" && waits) {
        const parts = [
          { kind: "text" as const, text: `${step.question}. Then say so in this task, and it goes on.` },
        ];
        const metadata = { reason: "REMOTE_AUTHENTICATION" };
        return { end: { state: "auth-required", parts, metadata, use: this.#use } };
      }
      if (step.kind === "ask") {
        await carrier.cancel?.({ callId: call.callId, settings, state: step.state });
        const asked = `${need.node} asks, which only a graph in a plan can pass on: ${step.question}`;
        return { end: this.#failed(asked, "NOT_AVAILABLE") };
      }
      call = { ...call, state: step.state };
      if (step.waitMs !== undefined) await waited(step.waitMs, signal);
    }
  }

  #failed(text: string, reason: string): TurnEnd {
    return failed(text, reason, this.#use);
  }

  #end(state: "completed" | "input-required", text: string): TurnEnd {
    return {
      state,
      parts: [{ kind: "text", text: text === "" ? "(nothing was said)" : text }],
      use: this.#use,
    };
  }
}

function artifactOf({ node }: GraphNeed): string {
  return `node-${node.replaceAll("/", "-")}`;
}

function failed(text: string, reason: string, use: readonly ModelUse[]): TurnEnd {
  return { state: "failed", parts: [{ kind: "text", text }], metadata: { reason }, use };
}

function textOf({ parts }: Message): string {
  return parts.map((part) => (part.kind === "text" ? part.text : "")).join("\n");
}

function waited(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const over = () => {
      clearTimeout(timer);
      reject(signal.reason);
    };
    const timer = setTimeout(() => {
      signal.removeEventListener("abort", over);
      resolve();
    }, ms);
    signal.addEventListener("abort", over, { once: true });
  });
}
