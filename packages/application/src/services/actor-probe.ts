import {
  canonicalName,
  EntryNotFoundError,
  isModelName,
  type LlmActor,
  LlmActorSchema,
  providerActor,
} from "@cleveragents/domain";
import { z } from "zod";
import { remoteActorIn } from "../actors/remote-actors.ts";
import { own } from "../actors/submit-strategy.ts";
import { takeModelAnswer } from "../actors/take-answer.ts";
import type { FoundModel, Models } from "../models/models.ts";
import { ModelError, type ModelMessage, type ModelRequest } from "../ports/language-model.ts";
import type { RegistryStore } from "../ports/registry-store.ts";
import type { RemoteAgents } from "../ports/remote-agent.ts";

export type ProbeVerdict = "ok" | "lacking" | "failed" | "skipped";
export const PROBES = [
  "server",
  "model",
  "chat",
  "streaming",
  "tool_calls",
  "json",
  "usage",
  "context",
] as const;
export type ProbeName = (typeof PROBES)[number];

export interface ProbeResult {
  /** One of {@link PROBES} for a model, words of its own kind for others. */
  readonly probe: string;
  readonly verdict: ProbeVerdict;
  readonly detail: string;
}

export interface ProbedActor {
  readonly name: string;
  /** Where it is, of an actor that works elsewhere. */
  readonly model: string;
  readonly probes: readonly ProbeResult[];
  /** What it is of use for. */
  readonly plans: boolean;
  readonly conversations: boolean;
}

/** An actor that there is nothing to find out about. */
export class NothingToProbeError extends Error {
  override readonly name = "NothingToProbeError";
  readonly actor: string;
  constructor(actor: string, type: string) {
    super(
      type === "graph"
        ? `${actor} is a graph: test the actors and the models of its nodes`
        : `${actor} is a ${type} and calls no model`,
    );
    this.actor = actor;
  }
}

/** With less than this a plan's task, tools and results do not fit. */
const ENOUGH_CONTEXT = 16_000;
const REMOTE_MS = 30_000;
const NOTE = own("note", "Writes a word down.", z.object({ word: z.string() }));
const Ready = z.object({ ready: z.boolean() });

export interface ActorProbeDeps {
  readonly models: Models;
  readonly registry: Pick<RegistryStore, "find" | "list">;
  /** Who works elsewhere; those cannot be looked at without. */
  readonly remote?: RemoteAgents | undefined;
}

/** Finds out what a model can do, with a few short questions, before somebody relies on it. */
export class ActorProbe {
  readonly #deps: ActorProbeDeps;

  constructor(deps: ActorProbeDeps) {
    this.#deps = deps;
  }

  /** Throws `EntryNotFoundError` and {@link NothingToProbeError}; what a model does not do is an answer. */
  async probe(name: string, signal: AbortSignal): Promise<ProbedActor> {
    const elsewhere = await this.#elsewhere(name, signal);
    if (elsewhere !== undefined) return elsewhere;
    const actor = await this.#actor(name);
    const results = new Map<ProbeName, ProbeResult>();
    const say = (probe: ProbeName, verdict: ProbeVerdict, detail: string) =>
      void results.set(probe, { probe, verdict, detail });
    try {
      const found = await this.#deps.models.find(actor.model);
      await this.#offered(found, signal, say);
      await this.#chat(actor, signal, say);
      await this.#toolCalls(actor, signal, say);
      await this.#json(actor, signal, say);
      context(found, say);
    } catch (error) {
      signal.throwIfAborted();
      if (!(error instanceof ModelError)) throw error;
      say(PROBES.find((probe) => !results.has(probe)) ?? "chat", "failed", error.message);
    }
    const probes = PROBES.map(
      (probe): ProbeResult =>
        results.get(probe) ?? { probe, verdict: "skipped", detail: "something before it has failed" },
    );
    const works = (probe: ProbeName) => results.get(probe)?.verdict === "ok";
    return {
      name: actor.name,
      model: actor.model,
      probes,
      conversations: works("chat"),
      plans: works("chat") && works("tool_calls"),
    };
  }

  /** What can be seen of an actor that works elsewhere, without giving it work; undefined for all others. */
  async #elsewhere(name: string, signal: AbortSignal): Promise<ProbedActor | undefined> {
    const { registry, remote } = this.#deps;
    if (remote === undefined) return undefined;
    const actor = remoteActorIn((await registry.find("actor", canonicalName(name)))?.document);
    if (actor === undefined) return undefined;
    const probes = await remote.probe(actor, AbortSignal.any([signal, AbortSignal.timeout(REMOTE_MS)]));
    const works = probes.every(({ verdict }) => verdict !== "failed");
    const model = actor.type === "a2a" ? actor.card : `${actor.url} ${actor.graph_id}`;
    return { name: actor.name, model, probes, plans: works, conversations: works };
  }

  async #actor(name: string): Promise<LlmActor> {
    const { registry, models } = this.#deps;
    const full = isModelName(name) ? name : canonicalName(name);
    const entry = await registry.find("actor", full);
    if (entry !== undefined) {
      const { document } = entry;
      if (document["type"] !== "llm") throw new NothingToProbeError(full, String(document["type"]));
      return LlmActorSchema.parse(document);
    }
    const providers = isModelName(full) ? await models.providers() : [];
    if (providers.some((provider) => provider.name === full.slice(0, full.indexOf("/"))))
      return providerActor(full);
    const known = (await registry.list("actor")).map((one) => one.name);
    throw new EntryNotFoundError("actor", full, known);
  }

  async #offered({ provider, model }: FoundModel, signal: AbortSignal, say: Say): Promise<void> {
    try {
      const offered = await this.#deps.models.offered(provider, signal);
      say("server", "ok", `${provider.name} answers`);
      const names = offered.map(({ name }) => name);
      if (names.includes(model)) say("model", "ok", `${provider.name} has ${model}`);
      else say("model", "lacking", `${provider.name} does not list ${model}; it has ${listed(names)}`);
    } catch (error) {
      if (!(error instanceof ModelError)) throw error;
      // Some servers list nothing and answer all the same.
      if (
        error.reason === "MODEL_AUTH" ||
        error.reason === "MODEL_UNAVAILABLE" ||
        error.reason === "MODEL_NOT_CONFIGURED"
      )
        throw error;
      say("server", "lacking", error.message);
      say("model", "skipped", `${provider.name} does not say what it has`);
    }
  }

  async #chat(actor: LlmActor, signal: AbortSignal, say: Say): Promise<void> {
    let pieces = 0;
    const request = ask("Count from one to twenty in words, and say nothing else.", actor, 400);
    const { answer, estimated } = await this.#deps.models.complete(actor.model, request, {
      signal,
      onPiece: ({ kind }) => (pieces += kind === "tool-call" ? 0 : 1),
    });
    const said = answer.text.trim();
    if (said === "")
      say("chat", "failed", `it said nothing${answer.reasoning === undefined ? "" : ", it only thought"}`);
    else say("chat", "ok", `it said ${said.length} characters`);
    if (pieces > 1) say("streaming", "ok", `in ${pieces} pieces`);
    else say("streaming", "lacking", "its answers come whole; nobody sees them grow");
    if (estimated)
      say(
        "usage",
        "lacking",
        "it does not say what it used: tokens are estimated, budgets are as exact as that",
      );
    else say("usage", "ok", "it says what it used");
  }

  async #toolCalls(actor: LlmActor, signal: AbortSignal, say: Say): Promise<void> {
    const first: ModelRequest = {
      ...ask("Call the tool note with the word ready. When it has answered, say done.", actor, 400),
      tools: [NOTE.offered],
    };
    const { answer } = await this.#deps.models.complete(actor.model, first, { signal });
    const { calls, remark } = takeModelAnswer(answer, { tools: [], byName: new Map() }, [NOTE]);
    const [call] = calls;
    if (call === undefined)
      return say(
        "tool_calls",
        "failed",
        remark?.includes("as text") === true ? "it prints calls as text" : "it called no tool",
      );
    if (call.result !== undefined)
      return say("tool_calls", "failed", `its call cannot be used: ${call.result.text}`);
    const messages: ModelMessage[] = [
      ...first.messages,
      { role: "assistant", text: answer.text, toolCalls: answer.toolCalls },
      ...answer.toolCalls.map(({ id }): ModelMessage => ({ role: "tool", callId: id, text: "Noted." })),
    ];
    const second = await this.#deps.models.complete(actor.model, { ...first, messages }, { signal });
    if (second.answer.toolCalls.length > 0)
      return say("tool_calls", "lacking", "it calls a tool again that has answered");
    say("tool_calls", "ok", "it calls a tool and takes the answer");
  }

  async #json(actor: LlmActor, signal: AbortSignal, say: Say): Promise<void> {
    const { $schema: _, ...schema } = z.toJSONSchema(Ready);
    const request: ModelRequest = {
      ...ask('Answer with JSON alone: {"ready": true}', actor, 200),
      answer: { name: "ready", schema: schema as never }, // JSON Schema is JSON
    };
    const { answer } = await this.#deps.models.complete(actor.model, request, { signal });
    const text = answer.text.trim();
    if (isReady(text)) return say("json", "ok", "it answers with JSON");
    const fenced = /```(?:json)?\s*([\s\S]*?)```/.exec(text)?.[1] ?? "";
    if (isReady(fenced)) say("json", "lacking", "it puts JSON between other text");
    else say("json", "lacking", "it does not keep to JSON");
  }
}

type Say = (probe: ProbeName, verdict: ProbeVerdict, detail: string) => void;

function ask(text: string, { temperature }: LlmActor, maxTokens: number): ModelRequest {
  return {
    messages: [{ role: "user", text }],
    maxTokens,
    ...(temperature === undefined ? {} : { temperature }),
  };
}

function isReady(text: string): boolean {
  try {
    return Ready.safeParse(JSON.parse(text)).success;
  } catch {
    return false;
  }
}

function context({ settings, name }: FoundModel, say: Say): void {
  const { context: window } = settings;
  if (window === undefined)
    say(
      "context",
      "lacking",
      `nobody has said how much ${name} takes: write \`context\` into providers.yaml`,
    );
  else if (window < ENOUGH_CONTEXT)
    say("context", "lacking", `${window} tokens are little for plans; \`compact: true\` in the actor helps`);
  else say("context", "ok", `${window} tokens, by its settings`);
}

function listed(names: readonly string[]): string {
  if (names.length === 0) return "none";
  return `${names.slice(0, 8).join(", ")}${names.length > 8 ? ` and ${names.length - 8} more` : ""}`;
}
