import type { Command, Invocation } from "../command/command.ts";
import type { Values } from "../command/values.ts";
import type { CliContext } from "../context.ts";
import { EXIT, type ExitCode } from "../exit-codes.ts";
import { clean } from "../output/clean.ts";
import type { Output, Rendering } from "../output/output.ts";
import { a2aError } from "./a2a-errors.ts";
import { type Agent, openAgent } from "./agent.ts";
import { type CardFacts, cardFacts } from "./card-facts.ts";
import { bindingOf, chooseInterface } from "./choose-interface.ts";
import { credentialsFor, type Sent } from "./credentials.ts";
import { durationMs } from "./durations.ts";
import { toFailure } from "./failures.ts";
import type { Pace } from "./follow-task.ts";
import type { A2aVersion } from "./operations.ts";
import { reportA2aError } from "./report-a2a-error.ts";
import { resolveCard } from "./resolve-card.ts";
import { Settings } from "./settings.ts";
import { type Continuing, quoted } from "./task-text.ts";
import { debugFetch } from "./wire-debug.ts";

/** A card is there at once or not at all. */
const CARD_TIMEOUT_MS = 30_000;

/** One run of a command that speaks to any agent. */
export interface A2aRun {
  readonly context: CliContext;
  readonly values: Values;
  readonly settings: Settings;
  readonly output: Output;
  /** One line for each element, rather than one document. */
  readonly streams: boolean;
  /** Shows what passes with `--debug`. */
  readonly fetch: typeof fetch;
  /** Of `--timeout`. */
  readonly signal: AbortSignal | undefined;
  readonly pace: Pace;
  readonly continuing: Continuing;
  /** The same, or an end that is near. */
  soon(): AbortSignal;
  /** Of a card that was found there. */
  credentials(facts: CardFacts, place: string): Promise<Sent>;
  /** Resolves the card and opens the interface at the first call. */
  agent(): Promise<Agent>;
  /** What a failure from now on should say that there is. */
  remember(taskId: string): void;
  /** The exit code is to say that what was looked at is not as it should be. */
  fail(): void;
  /** The result, or one of several where it streams. */
  emit<T>(json: T, rendering: Rendering<T>): Promise<void>;
}

export function a2aCommand(body: (run: A2aRun) => Promise<void>): Command {
  return {
    async run(invocation) {
      const run = new Run(invocation);
      try {
        await run.open();
        await body(run);
        return run.exitCode;
      } catch (error) {
        const { output, noColor } = invocation.options;
        const failure = toFailure(error, run.failureFacts);
        return await reportA2aError(failure, invocation.context, { output, noColor, stream: run.streams });
      } finally {
        await run.close();
      }
    },
  };
}

class Run implements A2aRun {
  readonly context: CliContext;
  readonly values: Values;
  readonly output: Output;
  readonly streams: boolean;
  readonly #invocation: Invocation;
  exitCode: ExitCode = EXIT.OK;
  readonly #secrets: string[] = [];
  #settings: Settings | undefined;
  #signal: AbortSignal | undefined;
  #agent: Agent | undefined;
  #taskId: string | undefined;
  #isIdentified = false;

  constructor(invocation: Invocation) {
    this.#invocation = invocation;
    this.context = invocation.context;
    this.values = invocation.values;
    this.output = invocation.output;
    this.streams = invocation.values.isSet("stream");
  }

  async open(): Promise<void> {
    this.#settings = await Settings.read(this.values, this.context);
    const { settings } = this;
    const timeout = settings.text("timeout");
    if (timeout !== undefined) this.#signal = AbortSignal.timeout(durationMs(timeout, "timeout"));
    durationMs(settings.text("poll-interval") ?? "", "poll-interval");
    if (settings.isOn("insecure")) {
      this.context.trustAnyCertificate();
      this.output.warn(
        "certificates are not verified (--insecure): whoever is in between reads everything, credentials too",
      );
    }
    this.#secrets.push(
      ...settings.list("svc-param").map((entry) => entry.slice(entry.indexOf(":") + 1).trim()),
    );
    for (const name of ["bearer", "api-key", "client-secret"] as const)
      this.#secrets.push(settings.text(name) ?? "");
  }

  async close(): Promise<void> {
    await this.#agent?.[Symbol.asyncDispose]();
  }

  get settings(): Settings {
    if (this.#settings === undefined) throw new Error("settings are read first");
    return this.#settings;
  }

  get signal(): AbortSignal | undefined {
    return this.#signal;
  }

  get fetch(): typeof fetch {
    const { context } = this;
    if (!this.#invocation.options.debug) return context.fetch;
    const say = (line: string) => context.stderr.write(`${line}\n`);
    return debugFetch(context.fetch, say, this.#secrets, context.now);
  }

  get pace(): Pace {
    const interval = this.settings.find("poll-interval");
    return {
      intervalMs: durationMs(interval?.value ?? "2s", "poll-interval"),
      quickStart: interval?.origin === "default",
    };
  }

  get continuing(): Continuing {
    const version = this.settings.find("a2a-version");
    const reference = quoted(this.settings.text("agent-card") ?? "AGENT");
    return {
      flags: `-a ${reference}${version?.origin === "flag" ? ` --a2a-version ${version.value}` : ""}`,
      verbose: this.#invocation.options.verbose,
    };
  }

  get failureFacts() {
    const goOn =
      this.#taskId === undefined
        ? undefined
        : `agents a2a task get ${this.continuing.flags} ${quoted(this.#taskId)} --wait`;
    return { signal: this.#signal, isIdentified: this.#isIdentified, goOn };
  }

  soon(): AbortSignal {
    const soon = AbortSignal.timeout(CARD_TIMEOUT_MS);
    return this.#signal === undefined ? soon : AbortSignal.any([soon, this.#signal]);
  }

  async credentials(facts: CardFacts, place: string): Promise<Sent> {
    const sent = await credentialsFor(facts, this.settings, () => this.#signedIn(place));
    this.#isIdentified = Object.keys({ ...sent.headers, ...sent.query }).length > 0;
    return sent;
  }

  async #signedIn(place: string): Promise<string | undefined> {
    const { tokenFor } = await import("../credentials/token-for.ts");
    const reference = quoted(this.settings.text("agent-card") ?? "AGENT");
    const token = await tokenFor(
      { ...this.context, fetch: this.fetch },
      {
        address: place,
        login: `agents a2a auth login ${reference}`,
        clientSecret: this.settings.find("client-secret")?.value,
      },
    );
    this.#secrets.push(token ?? "");
    return token;
  }

  async agent(): Promise<Agent> {
    this.#agent ??= await this.#open();
    return this.#agent;
  }

  async #open(): Promise<Agent> {
    const { settings, fetch, signal } = this;
    const reference = settings.text("agent-card");
    if (reference === undefined)
      throw a2aError("USAGE", "which agent is meant?", {
        hint: "--agent-card https://agents.example, or A2ACLI_AGENT_CARD",
      });
    const version = versionOf(settings.text("a2a-version"));
    const bindings = settings.list("transport");
    const unknown = bindings.find((word) => bindingOf(word) === undefined && word.toUpperCase() !== "GRPC");
    if (unknown !== undefined)
      throw a2aError("USAGE", `--transport is JSONRPC or HTTP+JSON, not "${unknown}"`);
    const serviceParameters = serviceParametersOf(settings.list("svc-param"));
    const { readFile } = this.context;
    const { card, place } = await resolveCard(
      reference,
      { version, signal: this.soon() },
      { fetch, readFile },
    );
    const facts = cardFacts(card);
    const face = chooseInterface(facts, { version, bindings });
    if (!URL.canParse(face.url) || !/^https?:$/.test(new URL(face.url).protocol))
      throw a2aError("CARD_INVALID", `the card's interface has no HTTP address: ${face.url}`);
    if (this.#invocation.options.debug)
      this.context.stderr.write(`... ${face.binding} ${face.version} at ${face.url}\n`);
    const credentials = await this.credentials(facts, place);
    return openAgent({ reference, facts, face, credentials, serviceParameters, fetch, signal });
  }

  fail(): void {
    this.exitCode = EXIT.FAILED;
  }

  remember(taskId: string): void {
    if (taskId !== "") this.#taskId = taskId;
  }

  async emit<T>(json: T, rendering: Rendering<T>): Promise<void> {
    if (this.output.format === "json" && this.streams) return this.output.line(JSON.stringify(json));
    if (this.output.format !== "text") return this.output.result(json, rendering);
    // Never coloured, and the same for a terminal as for a pipe.
    this.output.line(rendering.text(clean(json), this.output.page));
  }
}

function versionOf(text: string | undefined): A2aVersion {
  if (text === "1.0" || text === "0.3") return text;
  throw a2aError("USAGE", `this command speaks A2A 1.0 and 0.3, not ${text}`);
}

function serviceParametersOf(entries: readonly string[]): Record<string, string> {
  const parameters = entries.map((entry) => {
    const [, name, value] = /^([!#$%&'*+.^_`|~\w-]+)\s*:\s*([\t\x20-\x7e]*)$/.exec(entry) ?? [];
    if (name === undefined || value === undefined)
      throw a2aError("USAGE", "--svc-param is written name:value, as a header is");
    return [name, value.trim()] as const;
  });
  return Object.fromEntries(parameters);
}
