import type { ChildProcess } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { encodeFrame, FrameDecoder, type StdioFraming } from "@cleveragents/protocol";
import { finished, type Place, type Ran, SERVER, until } from "./support.ts";

/** What a server sends, for a test to look at. */
export interface Message {
  readonly id?: unknown;
  readonly method?: string;
  readonly result?: unknown;
  readonly error?: { readonly code: number; readonly message: string; readonly data?: unknown };
  readonly params?: {
    readonly id: unknown;
    readonly seq: number;
    readonly result: {
      readonly task?: { readonly id: string; readonly status: { readonly state: string } };
      readonly statusUpdate?: { readonly taskId: string; readonly status: { readonly state: string } };
    };
  };
}

/** A client of `cleveragents-server stdio` that only speaks and listens: it resumes nothing by itself. */
export class StdioFront {
  readonly child: ChildProcess;
  readonly seen: Message[] = [];
  readonly #framing: StdioFraming;

  constructor(place: Place, framing: StdioFraming = "length", env: Record<string, string> = {}) {
    this.#framing = framing;
    this.child = place.start(process.execPath, [SERVER, "stdio", "--data-dir", place.dataDir], { env });
    const decoder = new FrameDecoder({ framing });
    this.child.stdout?.on("data", (chunk: Uint8Array | string) => {
      decoder.push(Buffer.from(chunk)); // text from when somebody waits for the end
      for (let frame = decoder.next(); frame !== undefined; frame = decoder.next())
        this.seen.push(JSON.parse(new TextDecoder().decode(frame)) as Message);
    });
  }

  send(id: unknown, method: string, params: object = {}): void {
    const message = { jsonrpc: "2.0", id, method, params, a2a: { "A2A-Version": "1.0" } };
    this.child.stdin?.write(encodeFrame(this.#framing, JSON.stringify(message)));
  }

  async ask(id: unknown, method: string, params: object = {}): Promise<Message> {
    this.send(id, method, params);
    return await this.answer(id);
  }

  async answer(id: unknown, timeoutMs = 60_000): Promise<Message> {
    const found = () => this.seen.find((message) => message.id === id && message.method === undefined);
    await until(() => found() !== undefined, timeoutMs);
    return found() as Message;
  }

  /** The elements of the stream that this request began. */
  elements(id: unknown): NonNullable<Message["params"]>[] {
    return this.seen.flatMap(({ params }) => (params !== undefined && params.id === id ? [params] : []));
  }

  /** Ends the input and waits for the process. */
  close(): Promise<Ran> {
    return finished(this.child);
  }
}

/** A project and an action of these steps; the plan is under way when it is answered. */
export async function startPlan(place: Place, steps: readonly string[]): Promise<string> {
  const project = join(place.dir, "project");
  mkdirSync(project, { recursive: true });
  mkdirSync(place.dataDir, { recursive: true });
  const lines = steps.map((command) => `    - run: { command: ${JSON.stringify(command)} }\n`);
  writeFileSync(
    join(place.dir, "action.yaml"),
    `name: it\ndescription: d\ndefinition_of_done: d\nscript:\n  steps:\n${lines.join("")}`,
  );
  const agents = async (...args: string[]) => {
    const ran = await place.agents(args);
    if (ran.code !== 0) throw new Error(`agents ${args.join(" ")}: ${ran.stderr}`);
    return ran.stdout;
  };
  await agents("project", "create", "p", "--path", project);
  await agents("action", "add", "action.yaml");
  return (await agents("plan", "use", "it", "--automation-profile", "ci", "-o", "name")).trim();
}

/** Kills the present owner as `kill -9` does, and answers who it was. Undefined when none has left its address. */
export function killOwner(place: Place, signal: NodeJS.Signals = "SIGKILL"): number | undefined {
  try {
    const { pid } = place.discovery();
    process.kill(pid, signal);
    return pid;
  } catch {
    return undefined; // it is just beginning, or gone already
  }
}

/** Numbers that look random and are the same in every run. */
export function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

/**
 * Follows a plan over stdio while its owner is killed again and again, `between` seeded numbers of elements apart.
 * Answers the numbers of the elements as they came, and the state that the last one told.
 */
export async function followThroughDeaths(
  front: StdioFront,
  place: Place,
  plan: string,
  deaths: number,
  seed: number,
): Promise<{
  readonly numbers: readonly number[];
  readonly state: string | undefined;
  readonly killed: number;
}> {
  const random = seeded(seed);
  front.send("s", "SubscribeToTask", { id: plan });
  let seen = 1;
  const killed = new Set<number>();
  while (killed.size < deaths) {
    seen += 1 + Math.floor(random() * 3);
    const ended = () => front.seen.some(({ id }) => id === "s");
    await until(() => front.elements("s").length >= seen || ended(), 60_000);
    if (ended()) break;
    await new Promise((resolve) => setTimeout(resolve, random() * 100));
    const pid = killOwner(place);
    if (pid !== undefined) killed.add(pid);
  }
  await front.answer("s", 300_000);
  const elements = front.elements("s");
  return {
    numbers: elements.map(({ seq }) => seq),
    state: elements.at(-1)?.result.statusUpdate?.status.state,
    killed: killed.size,
  };
}
