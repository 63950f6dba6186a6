import type { ClientTransport } from "@cleveragents/protocol";
import type { ConnectRequest } from "./connect/connect-request.ts";
import type { Loopback } from "./connect/loopback.ts";
import type { ProgramAnswer } from "./connect/run-server.ts";
import type { LocalAgent } from "./connect/transport-selector.ts";
import type { ExitCode } from "./exit-codes.ts";

/** Where text goes. `columns` is the terminal's width; without one nothing is cut. */
export interface OutputStream {
  write(text: string): void;
  readonly isTTY: boolean;
  readonly columns: number | undefined;
  readonly rows: number | undefined;
}

export interface InputStream {
  readonly isTTY: boolean;
  /** The next line without its end, or undefined at the end of input, or when nobody wants it any more. */
  readLine(signal?: AbortSignal): Promise<string | undefined>;
  /** Everything until the end of input. Only called when a command was told to read `-`. */
  readAll(): Promise<string>;
  /** The next line of a terminal, which does not show it; undefined where somebody types Ctrl-C or Ctrl-D instead. */
  readSecret(): Promise<string | undefined>;
}

export interface ProgramInput {
  readonly input?: string;
  readonly args?: readonly string[];
  /** Besides those of the user. */
  readonly env?: Readonly<Record<string, string>>;
}

/** Everything that a command may know of the process it runs in; made by main.ts, and by tests. */
export interface CliContext {
  readonly argv: readonly string[];
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The same without what files of configuration say, once that stands in `env` too. */
  readonly unconfiguredEnv?: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
  readonly home: string;
  readonly stdin: InputStream;
  readonly stdout: OutputStream;
  readonly stderr: OutputStream;
  /** Milliseconds since the epoch. */
  now(): number;
  version(): string;
  readFile(path: string): Promise<string>;
  readBytes(path: string): Promise<Uint8Array>;
  /** Makes the folders above it too; what is there already is replaced. */
  writeBytes(path: string, bytes: Uint8Array): Promise<void>;
  pathExists(path: string): Promise<boolean>;
  /** The permission bits of a file, or undefined if there is none. */
  fileMode(path: string): Promise<number | undefined>;
  /** Puts a file in place whole, for this user alone; makes the folder above it too. */
  writePrivate(path: string, text: string): Promise<void>;
  /** Does something to a file while no other command does; waits for its turn. Throws FILE_BUSY, and what keeps it from writing there. */
  exclusively<T>(path: string, work: () => Promise<T>): Promise<T>;
  /** From now on certificates are not verified, by anybody in this process. */
  trustAnyCertificate(): void;
  /** For what is not said to our own agent: cards, keys, and the agents of others. */
  readonly fetch: typeof fetch;
  /** Waits for a browser of this machine; on any free port for 0. */
  loopback(port: number): Promise<Loopback>;
  /** Hears Ctrl-C until the returned function is called; without a listener Ctrl-C ends the process. */
  onInterrupt(listener: () => void): () => void;
  connect(request: ConnectRequest): Promise<ClientTransport>;
  /** Where the local agent's data is, and who runs it; starts nothing. */
  localAgent(dataDir: string | undefined): Promise<LocalAgent>;
  /** Runs the server's program on this terminal, with these arguments, until it ends. */
  serve(args: readonly string[]): Promise<ExitCode>;
  /** Runs the server's program to its end, and answers what it says. */
  serverProgram(args: readonly string[]): Promise<ProgramAnswer>;
  /**
   * Runs a command line of the user's own in their shell, on this terminal, to its end. `input` is its stdin, `args` stand behind it. The answer
   * is its exit code; undefined where there is no such program.
   */
  runProgram(command: string, given: ProgramInput): Promise<number | undefined>;
}
