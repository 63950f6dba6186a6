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
import { callOf } from "./graph-remote.ts";
import { GraphStuckError, readAnswer, rulesOf } from "./graph-rules.ts";
import { type ConversationDeps, LlmMessageActor } from "./llm-message-actor.ts";

export interface GraphTalkDeps {
  readonly conversation: ConversationDeps | undefined;
  readonly graphs: GraphRuntime;
  readonly remoteNodes: readonly RemoteNodes[];
  readonly registry: Pick<RegistryStore, "find">;
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
      run: async (turn, log) => {
        try {
          return await new GraphTalk(this.#deps, await flattened(actor, find), turn, log).run();
        } catch (error) {
          turn.signal.throwIfAborted();
          if (error instanceof GraphError || error instanceof DocumentError)
            return failed(error.message, "GRAPH_INVALID", []);
          throw error;
        }
      },
    };
  }
}

type Waits = { readonly end: TurnEnd } | NodeResult;

/** One turn of a conversation with a graph. How far it has come is kept by the task, so that a turn that was cut off goes on there. */
class GraphTalk {
  readonly #deps: GraphTalkDeps;
  readonly #graph: FlatGraph;
  readonly #turn: MessageTurn;
  readonly #log: TurnLog;
  #use: readonly ModelUse[] = [];

  constructor(deps: GraphTalkDeps, graph: FlatGraph, turn: MessageTurn, log: TurnLog) {
    this.#deps = deps;
    this.#graph = graph;
    this.#turn = turn;
    this.#log = log;
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
          if (came.end.state !== "input-required") await graphs.forget(thread);
          return came.end;
        }
        results[need.id] = came;
      }
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
      default:
        return {
          end: this.#failed(
            `${need.node} calls a tool, which is for plans: in a conversation nothing is changed`,
            "NOT_AVAILABLE",
          ),
        };
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
    let begun = false;
    let writing: Promise<void> = Promise.resolve();
    let call = { ...callOf(need, node), settings };
    for (;;) {
      const step = await carrier.step(call, {
        taskId,
        contextId,
        principal,
        signal,
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
      if (step.kind === "done") {
        const read = readAnswer(node, step.text);
        if (step.value !== undefined) return { ok: true, text: step.text, value: step.value };
        if (!("problem" in read)) return read;
        return { end: this.#failed(`${need.node} has not answered with a JSON object`, "GRAPH_BAD_ANSWER") };
      }
      if (step.kind === "failed") return { end: this.#failed(`${need.node}: ${step.message}`, step.reason) };
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
