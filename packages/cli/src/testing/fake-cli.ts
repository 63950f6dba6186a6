import {
  type ClientTransport,
  type ErrorObject,
  failure,
  type JsonRpcRequest,
  type JsonRpcResponse,
  success,
  type TransportError,
} from "@cleveragents/protocol";
import type { ConnectRequest } from "../connect/connect-request.ts";
import type { ProgramAnswer } from "../connect/run-server.ts";
import type { LocalAgent } from "../connect/transport-selector.ts";
import type { CliContext, ProgramInput } from "../context.ts";
import type { ExitCode } from "../exit-codes.ts";
import { run } from "../run.ts";

/** An error as a peer answers it. */
export class Refusal {
  readonly error: ErrorObject;
  constructor(code: number, message: string, data?: Record<string, unknown>) {
    this.error = { code, message, data };
  }
}

type Handler = (params: Record<string, unknown>) => unknown;
/** One element of a stream, or what happens instead. */
export type StreamElement = object | Refusal | Error | Promise<void> | "hang";

export interface FakeCliOptions {
  readonly cwd?: string;
  readonly calls?: Readonly<Record<string, Handler | object>>;
  /** One list per subscription, in order. */
  readonly streams?: readonly (readonly StreamElement[])[];
  readonly connect?: (request: ConnectRequest) => TransportError | Error | undefined;
  readonly stdin?: string;
  /** Nobody types anything more, and the input does not end. */
  readonly waits?: boolean;
  readonly isTTY?: boolean;
  readonly columns?: number;
  readonly env?: Record<string, string>;
  readonly files?: Readonly<Record<string, string>>;
  /** Of every file. */
  readonly fileMode?: number;
  readonly now?: () => number;
  /** The user's own programs, by their command lines; others are not there. */
  readonly programs?: Readonly<Record<string, (given: ProgramInput) => number | Promise<number>>>;
  /** What the browser brings back for a state. */
  readonly browser?: (state: string) => Record<string, string>;
  /** Who runs the local agent; nobody when absent. */
  readonly localAgent?: LocalAgent["running"];
  readonly serverProgram?: (args: readonly string[]) => Partial<ProgramAnswer>;
  /** What answers at these addresses; nobody listens anywhere else. */
  readonly pages?: Readonly<Record<string, (request: Request) => Response | Promise<Response>>>;
  /** Who answers everywhere else; undefined where nobody listens. */
  readonly serve?: (request: Request) => Promise<Response | undefined>;
}

/** Runs one command line in this process against answers that are written down. */
export class FakeCli {
  stdout = "";
  stderr = "";
  /** Both, as they come to stand on a terminal. */
  terminal = "";
  readonly requests: JsonRpcRequest[] = [];
  readonly serviceParameters: Readonly<Record<string, string>>[] = [];
  readonly connections: ConnectRequest[] = [];
  stdinRead = false;
  readonly written = new Map<string, string>();
  trustsAnyCertificate = false;
  /** Arguments that the server's program was run with. */
  readonly served: (readonly string[])[] = [];
  loopbackClosed = false;
  readonly #options: FakeCliOptions;
  readonly #interrupts = new Set<() => void>();
  #streams = 0;
  readonly #lines: string[];
  readonly #read = Promise.withResolvers<void>();

  constructor(options: FakeCliOptions = {}) {
    this.#options = options;
    this.#lines = options.stdin === undefined ? [] : options.stdin.replace(/\n$/, "").split("\n");
  }

  run(...argv: string[]): Promise<ExitCode> {
    return run(this.#context(argv));
  }

  /** Ctrl-C. */
  interrupt(): void {
    for (const listener of this.#interrupts) listener();
  }

  /** Until a line of input is asked for. */
  untilRead(): Promise<void> {
    return this.#read.promise;
  }

  paramsOf(method: string): unknown {
    return this.requests.find((request) => request.method === method)?.params;
  }

  #context(argv: readonly string[]): CliContext {
    const {
      isTTY = false,
      columns,
      cwd = "/work/app",
      env = {},
      files = {},
      now = () => Date.parse("2026-07-01T12:00:00Z"),
    } = this.#options;
    const output = (write: (text: string) => void) => ({
      write,
      isTTY,
      columns,
      rows: isTTY ? 24 : undefined,
    });
    return {
      argv,
      env,
      cwd,
      home: "/home/me",
      stdin: {
        isTTY,
        readLine: async (signal) => {
          this.stdinRead = true;
          this.#read.resolve();
          const line = this.#lines.shift();
          if (line !== undefined || this.#options.waits !== true || signal === undefined) return line;
          await new Promise((resolve) => signal.addEventListener("abort", resolve));
          return undefined;
        },
        readSecret: async () => {
          this.stdinRead = true;
          return this.#lines.shift();
        },
        readAll: async () => {
          this.stdinRead = true;
          return this.#options.stdin ?? "";
        },
      },
      stdout: output((text) => {
        this.stdout += text;
        this.terminal += text;
      }),
      stderr: output((text) => {
        this.stderr += text;
        this.terminal += text;
      }),
      now,
      version: () => "1.2.3",
      readFile: async (path) => {
        const text = this.written.get(path) ?? files[path];
        if (text === undefined) throw Object.assign(new Error(`ENOENT: ${path}`), { code: "ENOENT" });
        return text;
      },
      readBytes: async (path) => {
        const text = files[path];
        if (text === undefined) throw Object.assign(new Error(`ENOENT: ${path}`), { code: "ENOENT" });
        return Buffer.from(text);
      },
      writeBytes: async (path, bytes) => {
        this.written.set(path, Buffer.from(bytes).toString());
      },
      pathExists: async (path) => path in files || this.written.has(path),
      fileMode: async (path) =>
        path in files || this.written.has(path) ? (this.#options.fileMode ?? 0o600) : undefined,
      writePrivate: async (path, text) => {
        this.written.set(path, text);
      },
      exclusively: (_, work) => work(),
      trustAnyCertificate: () => {
        this.trustsAnyCertificate = true;
      },
      fetch: async (input, init) => {
        const request = new Request(input, init);
        const page = this.#options.pages?.[request.url];
        if (page !== undefined) return page(request);
        const served = await this.#options.serve?.(request);
        if (served !== undefined) return served;
        throw Object.assign(new TypeError("fetch failed"), { cause: { code: "ECONNREFUSED" } });
      },
      loopback: async (port) => ({
        url: `http://127.0.0.1:${port === 0 ? 4711 : port}/callback`,
        returned: async (state) => new URLSearchParams(this.#options.browser?.(state) ?? ""),
        close: async () => {
          this.loopbackClosed = true;
        },
      }),
      onInterrupt: (listener) => {
        this.#interrupts.add(listener);
        return () => this.#interrupts.delete(listener);
      },
      runProgram: async (command, given) => this.#options.programs?.[command]?.(given),
      localAgent: async (dataDir) => ({
        dataDir: dataDir ?? "/home/me/.cleveragents",
        running: this.#options.localAgent,
      }),
      serve: async (args) => {
        this.served.push(args);
        return 0;
      },
      serverProgram: async (args) => {
        this.served.push(args);
        return { code: 0, stdout: "", stderr: "", ...this.#options.serverProgram?.(args) };
      },
      connect: async (request) => {
        this.connections.push(request);
        const refused = this.#options.connect?.(request);
        if (refused !== undefined) throw refused;
        return this.#transport();
      },
    };
  }

  #transport(): ClientTransport {
    return {
      request: async (request) => {
        this.requests.push(request);
        return this.#answer(request);
      },
      stream: (request, options) => {
        this.requests.push(request);
        this.serviceParameters.push(options.serviceParameters);
        return this.#elements(request);
      },
      async [Symbol.asyncDispose]() {},
    };
  }

  #answer({ id = null, method, params }: JsonRpcRequest): JsonRpcResponse {
    const handler = this.#options.calls?.[method];
    if (handler === undefined) return failure(id, { code: -32601, message: `Method not found: ${method}` });
    const result: unknown =
      typeof handler === "function" ? handler((params ?? {}) as Record<string, unknown>) : handler;
    if (result instanceof Error) throw result;
    return result instanceof Refusal ? failure(id, result.error) : success(id, result);
  }

  async *#elements({ id = null }: JsonRpcRequest) {
    const elements = this.#options.streams?.[this.#streams++] ?? [];
    for (const [index, element] of elements.entries()) {
      if (element === "hang") await new Promise(() => {});
      if (element instanceof Promise) {
        await element;
        continue;
      }
      if (element instanceof Error) throw element;
      if (element instanceof Refusal) yield { response: failure(id, element.error) };
      else yield { cursor: `P:${index}`, response: success(id, element) };
    }
  }
}
