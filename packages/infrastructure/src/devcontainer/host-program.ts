import { spawn } from "node:child_process";
import { allowedEnvironment } from "../process/allowed-environment.ts";
import { CappedText } from "../process/capped-text.ts";
import { ProcessGroup } from "../process/process-group.ts";

/** What a client of a container engine reads besides what every command may know. */
const ENGINE =
  /^(DOCKER_(HOST|CONTEXT|CONFIG|TLS_VERIFY|CERT_PATH|API_VERSION)|CONTAINER_HOST|XDG_RUNTIME_DIR|XDG_CONFIG_HOME)$/;
const MAX_BYTES = 256 * 1024;
const GRACE_MS = 2000;

export interface Said {
  readonly exitCode: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** The environment of programs of ours that speak to the engine; nothing else of the host's gets into a container by it. */
export function engineEnvironment(
  host: Readonly<Record<string, string | undefined>>,
): Record<string, string> {
  const engine = Object.entries(host).filter(([name, value]) => ENGINE.test(name) && value !== undefined);
  return { ...allowedEnvironment(host), ...(Object.fromEntries(engine) as Record<string, string>) };
}

/** Runs a program of the host's until it ends or the signal does; then its whole group is ended and the reason thrown. */
export async function runProgram(
  file: string,
  args: readonly string[],
  options: {
    readonly env: Readonly<Record<string, string>>;
    readonly cwd: string;
    readonly signal: AbortSignal;
  },
): Promise<Said> {
  const { signal } = options;
  signal.throwIfAborted();
  const child = spawn(file, [...args], {
    env: options.env,
    cwd: options.cwd,
    detached: true,
    stdio: ["ignore", "pipe", "pipe"],
  });
  const said = { stdout: new CappedText(MAX_BYTES), stderr: new CappedText(MAX_BYTES) };
  for (const stream of ["stdout", "stderr"] as const) {
    child[stream].setEncoding("utf8");
    child[stream].on("data", (text: string) => said[stream].push(Buffer.from(text)));
    child[stream].on("error", () => undefined);
  }
  const group = child.pid === undefined ? undefined : new ProcessGroup(child.pid);
  const { promise, resolve, reject } = Promise.withResolvers<number | null>();
  child.once("error", reject);
  child.once("close", (exitCode) => resolve(exitCode));
  const stop = (): void => {
    void (group?.end(GRACE_MS) ?? Promise.resolve()).then(() => {
      child.stdout.destroy();
      child.stderr.destroy();
      reject(signal.reason);
    });
  };
  signal.addEventListener("abort", stop, { once: true });
  try {
    const exitCode = await promise;
    signal.throwIfAborted();
    return { exitCode, stdout: text(said.stdout), stderr: text(said.stderr) };
  } finally {
    signal.removeEventListener("abort", stop);
  }
}

function text(capped: CappedText): string {
  capped.end();
  return capped.text();
}
