import type { ToolError } from "@cleveragents/application";
import type { LspServer } from "@cleveragents/domain";
import type {
  InitializeResult,
  ProtocolConnection,
  ServerCapabilities,
  WorkspaceEdit,
} from "vscode-languageserver-protocol/node";
import { lastWords } from "../process/last-words.ts";
import { SecretRedactor, secretsOf } from "../process/secret-redactor.ts";
import type { ServerProcess } from "../process/server-process.ts";
import { CLIENT_CAPABILITIES } from "./client-capabilities.ts";
import type { ServerPaths } from "./file-uri.ts";
import { GuardedOutput } from "./guarded-output.ts";
import type { Protocol } from "./load-protocol.ts";
import { lspFailure } from "./lsp-failure.ts";
import type { Encoding } from "./positions.ts";
import { PublishedDiagnostics } from "./published-diagnostics.ts";
import { Registrations } from "./registrations.ts";
import { answerServer } from "./server-requests.ts";
import { StderrTail } from "./stderr-tail.ts";

const SHUTDOWN_MS = 3000;
const EXIT_MS = 2000;
const CAUGHT_UP_MS = 2000;
/** How often a question is put again that the server has dropped because something had changed. */
const ATTEMPTS = 4;
const AGAIN_MS = 150;
/** Of the library, for questions that no server has answered. */
const OF_THE_CONNECTION = new Set([-32096, -32097, -32098, -32099]);
/** ContentModified, ServerCancelled: "ask again". */
const ASK_AGAIN = new Set([-32801, -32802]);

export interface ClientDeps {
  readonly protocol: Protocol;
  readonly process: ServerProcess;
  readonly server: LspServer;
  readonly paths: ServerPaths;
  /** Of the folder that it works on, relative to the project. */
  readonly folder: string;
  readonly version: string;
}

export interface AskOptions {
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
}

/** One running language server, spoken with. */
export class LanguageClient {
  readonly server: LspServer;
  readonly paths: ServerPaths;
  /** That it works on, relative to the project. */
  readonly folder: string;
  readonly registrations = new Registrations();
  readonly published = new PublishedDiagnostics();
  capabilities: ServerCapabilities = {};
  info: InitializeResult["serverInfo"];
  encoding: Encoding = "utf-16";
  /** Why nothing can be asked any more. */
  gone: ToolError | undefined;
  readonly #deps: ClientDeps;
  readonly #connection: ProtocolConnection;
  readonly #stderr: StderrTail;
  readonly #output: GuardedOutput;
  readonly #ended: Promise<void>;
  #stopping = false;
  #editsTaken: ((edit: WorkspaceEdit) => void) | undefined;

  constructor(deps: ClientDeps) {
    const { process, protocol, server, paths } = deps;
    this.#deps = deps;
    this.server = server;
    this.paths = paths;
    this.folder = deps.folder;
    this.#stderr = new StderrTail(process.stderr, secretsOf(server.env));
    const output = process.stdout.pipe(new GuardedOutput());
    this.#output = output;
    output.on("error", (error) => void this.#fail(`sent ${error.message}`));
    this.#connection = protocol.createProtocolConnection(
      new protocol.StreamMessageReader(output),
      new protocol.StreamMessageWriter(process.stdin),
    );
    this.#connection.onError(() => undefined); // its reader goes on; where it cannot, the process ends
    this.#connection.onClose(() => void process.stop(EXIT_MS));
    this.#listen();
    this.#ended = process.ended.then(({ exitCode, signal, failure }) => {
      const how =
        exitCode === null ? `was ended by ${signal ?? "a signal"}` : `ended with exit code ${exitCode}`;
      this.gone ??= failure === undefined ? this.#crash(how) : notStarted(server, failure);
      // The connection would let everybody wait for ever who waits now.
      this.#connection.dispose();
    });
  }

  /** Settles when the process is over and nobody of it is left. */
  get ended(): Promise<void> {
    return this.#ended;
  }

  /** Throws `ToolError` LSP_NOT_STARTED, LSP_CRASHED or LSP_TIMEOUT. */
  async initialize(signal: AbortSignal): Promise<void> {
    const { server, paths, folder, process } = this.#deps;
    const uri = paths.toUri(folder);
    const result = await this.ask<InitializeResult>(
      "initialize",
      {
        // In a process namespace of its own, the number would be somebody else's.
        processId: process.level === "none" ? globalThis.process.pid : null,
        clientInfo: { name: "cleveragents", version: this.#deps.version },
        locale: "en",
        rootUri: uri,
        workspaceFolders: [{ uri, name: folder === "" ? "project" : folder }],
        ...(server.initOptions === undefined ? {} : { initializationOptions: server.initOptions }),
        capabilities: CLIENT_CAPABILITIES,
        trace: "off",
      },
      { timeoutMs: server.startTimeoutMs, signal },
    );
    this.capabilities = result.capabilities ?? {};
    this.info = result.serverInfo;
    this.encoding = encodingOf(this.capabilities.positionEncoding);
    await this.tell("initialized", {});
    if (server.settings !== undefined)
      await this.tell("workspace/didChangeConfiguration", { settings: server.settings });
  }

  /** Whether a request is served: said at the start, or registered since. */
  serves(method: string, said: keyof ServerCapabilities): boolean {
    const capability = this.capabilities[said];
    return (
      (capability !== undefined && capability !== null && capability !== false) ||
      this.registrations.has(method)
    );
  }

  /**
   * Throws `ToolError`: LSP_TIMEOUT when no answer comes in time (the server is told that none is wanted any more),
   * LSP_REFUSED for an error in its place, LSP_CRASHED when the server is gone, CANCELLED.
   */
  async ask<R>(method: string, params: unknown, options: AskOptions): Promise<R> {
    for (let attempt = 1; ; attempt += 1) {
      const answer = await this.#once<R>(method, params, options);
      if (!("askAgain" in answer)) return answer.value;
      if (attempt === ATTEMPTS) throw answer.askAgain;
      await new Promise((resolve) => setTimeout(resolve, AGAIN_MS * attempt));
    }
  }

  /** Throws `ToolError` LSP_CRASHED where nobody is there to be told. */
  async tell(method: string, params: unknown): Promise<void> {
    if (this.gone !== undefined) throw this.gone;
    try {
      await this.#connection.sendNotification(method, params);
    } catch {
      await this.#ended;
      throw this.gone ?? this.#crash("is gone");
    }
  }

  /** Settles when all that it says by itself of what it was told before has come. */
  async caughtUp(signal: AbortSignal): Promise<void> {
    // Messages are taken one after the other: whatever it answers, it answers after that.
    await this.ask("cleveragents/caughtUp", {}, { timeoutMs: CAUGHT_UP_MS, signal }).catch(
      (error: unknown) => {
        if (this.gone !== undefined) throw error;
      },
    );
  }

  /** Runs a command of the server's, and gives the edits that it asks for meanwhile instead of making them. */
  async command(
    params: { readonly command: string; readonly arguments?: unknown[] },
    options: AskOptions,
  ): Promise<WorkspaceEdit[]> {
    const edits: WorkspaceEdit[] = [];
    this.#editsTaken = (edit) => edits.push(edit);
    try {
      await this.ask("workspace/executeCommand", params, options);
    } finally {
      this.#editsTaken = undefined;
    }
    return edits;
  }

  /** Asks it to end, and after a while makes it. Settles when nobody of it is left. */
  async stop(): Promise<void> {
    this.#stopping = true;
    this.gone ??= lspFailure("LSP_CRASHED", `the language server ${this.server.name} was stopped`);
    let timer: ReturnType<typeof setTimeout> | undefined;
    const late = new Promise((resolve) => {
      timer = setTimeout(resolve, SHUTDOWN_MS);
    });
    // Without parameters: some refuse the null that would stand for none.
    const asked = Promise.resolve()
      .then(() => this.#connection.sendRequest(this.#deps.protocol.ShutdownRequest.type))
      .then(() => this.#connection.sendNotification(this.#deps.protocol.ExitNotification.type))
      .catch(() => undefined);
    await Promise.race([asked, late, this.#ended]);
    clearTimeout(timer);
    await this.#deps.process.stop(EXIT_MS);
    await this.#ended;
  }

  #listen(): void {
    const { folder, paths, server } = this.#deps;
    const connection = this.#connection;
    connection.onNotification("textDocument/publishDiagnostics", (params) => {
      const file = paths.toRelative(params.uri);
      if (file !== undefined) this.published.take(file, params);
    });
    answerServer(connection, {
      settings: server.settings ?? {},
      folder: { uri: paths.toUri(folder), path: folder === "" ? "project" : folder },
      registrations: this.registrations,
      applyEdit: ({ edit }) => {
        this.#editsTaken?.(edit);
        return this.#editsTaken !== undefined;
      },
    });
    connection.listen();
  }

  async #once<R>(
    method: string,
    params: unknown,
    { timeoutMs, signal }: AskOptions,
  ): Promise<{ readonly value: R } | { readonly askAgain: ToolError }> {
    if (this.gone !== undefined) throw this.gone;
    if (signal.aborted) throw lspFailure("CANCELLED", `${method} was cancelled`);
    const cancel = new this.#deps.protocol.CancellationTokenSource();
    const { name } = this.server;
    let timer: ReturnType<typeof setTimeout> | undefined;
    let aborted: (() => void) | undefined;
    try {
      return await new Promise((resolve, reject) => {
        const giveUp = (error: ToolError): void => {
          // The answer may never come, so nobody waits for it; one that comes late is for nobody.
          cancel.cancel();
          reject(error);
        };
        timer = setTimeout(
          () =>
            giveUp(
              lspFailure(
                "LSP_TIMEOUT",
                `the language server ${name} has not answered ${method} within ${timeoutMs / 1000} s`,
              ),
            ),
          timeoutMs,
        );
        aborted = () => giveUp(lspFailure("CANCELLED", `${method} was cancelled`));
        signal.addEventListener("abort", aborted, { once: true });
        // Within a promise: a connection that is closed throws at once.
        Promise.resolve()
          .then(() => this.#connection.sendRequest<R>(method, params, cancel.token))
          .then(
            (value) => resolve({ value }),
            async (error: unknown) => {
              if (!this.#isReply(error)) {
                await this.#ended;
                return reject(this.gone ?? this.#crash("is gone"));
              }
              const refused = this.#refused(method, error.code, error.message);
              if (ASK_AGAIN.has(error.code)) resolve({ askAgain: refused });
              else reject(refused);
            },
          );
      });
    } finally {
      clearTimeout(timer);
      if (aborted !== undefined) signal.removeEventListener("abort", aborted);
      cancel.dispose();
    }
  }

  /** An error that the server has answered with, and not one of the connection. */
  #isReply(error: unknown): error is { readonly code: number; readonly message: string } {
    return (
      this.gone === undefined &&
      error instanceof this.#deps.protocol.ResponseError &&
      !OF_THE_CONNECTION.has(error.code)
    );
  }

  #refused(method: string, code: number, text: string): ToolError {
    const said = this.paths.clean(text).slice(0, 500);
    if (code === -32601)
      return lspFailure(
        "LSP_UNSUPPORTED",
        `the language server ${this.server.name} does not serve ${method}`,
        { code },
      );
    return lspFailure("LSP_REFUSED", `the language server ${this.server.name} refused ${method}: ${said}`, {
      code,
    });
  }

  async #fail(how: string): Promise<void> {
    this.gone ??= this.#crash(how);
    await this.#deps.process.stop(EXIT_MS);
  }

  /** The last words of a program that is no language server, and says so where others answer. */
  #printed(): string {
    const redactor = new SecretRedactor(secretsOf(this.server.env));
    return lastWords(redactor.push(this.#output.rest) + redactor.end());
  }

  #crash(how: string): ToolError {
    const told = this.#stderr.told() || this.#printed();
    const said = this.#stopping ? "" : this.paths.clean(told);
    return lspFailure(
      "LSP_CRASHED",
      `the language server ${this.server.name} ${how}${said === "" ? "" : `: ${said}`}`,
      { server: this.server.name },
    );
  }
}

function notStarted(server: LspServer, cause: Error): ToolError {
  return lspFailure(
    "LSP_NOT_STARTED",
    `the language server ${server.name} was not started: ${cause.message}`,
    { server: server.name },
    { cause },
  );
}

function encodingOf(said: string | undefined): Encoding {
  return said === "utf-8" || said === "utf-32" ? said : "utf-16";
}
