import { FakeCli, type FakeCliOptions } from "./fake-cli.ts";

/** What an agent refuses, on either binding. */
export class AgentRefuses {
  readonly code: number;
  readonly status: number;
  readonly reason: string;
  constructor(code: number, status: number, reason: string) {
    this.code = code;
    this.status = status;
    this.reason = reason;
  }
}

/** Elements of a stream; one that is cut breaks off in the middle of an event. */
export class Elements {
  readonly elements: readonly unknown[];
  readonly cut: boolean;
  constructor(elements: readonly unknown[], cut = false) {
    this.elements = elements;
    this.cut = cut;
  }
}

export interface Seen {
  /** The method, or verb and path. */
  readonly what: string;
  readonly params: Record<string, unknown>;
  readonly headers: Headers;
}

type Answer = (params: Record<string, unknown>, times: number) => unknown;

export const ORIGIN = "https://agent.example";

export interface ScriptedAgentOptions {
  readonly card?: object;
  /** By the name of an operation in JSON-RPC, or by verb and path in HTTP+JSON. */
  readonly answers?: Readonly<Record<string, Answer>>;
}

/** An agent of another make, whose answers are written down; it listens at {@link ORIGIN}. */
export class ScriptedAgent {
  readonly seen: Seen[] = [];
  readonly #options: ScriptedAgentOptions;

  constructor(options: ScriptedAgentOptions) {
    this.#options = options;
  }

  get calls(): readonly string[] {
    return this.seen.map(({ what }) => what);
  }

  /** Runs `agents a2a …` against it. */
  async run(argv: readonly string[], options: FakeCliOptions = {}) {
    const cli = new FakeCli({
      env: { A2ACLI_AGENT_CARD: ORIGIN, ...options.env },
      ...options,
      serve: (request) => this.#serve(request),
    });
    const code = await cli.run("a2a", ...argv);
    return {
      code,
      cli,
      stdout: cli.stdout,
      stderr: cli.stderr,
      json: () => JSON.parse(cli.stdout) as unknown,
    };
  }

  async #serve(request: Request): Promise<Response | undefined> {
    const url = new URL(request.url);
    if (url.origin !== ORIGIN) return undefined;
    if (url.pathname === "/.well-known/agent-card.json")
      return Response.json({ ...CARD, ...this.#options.card });
    const text = await request.text();
    const body = text === "" ? {} : (JSON.parse(text) as Record<string, unknown>);
    const isRpc = url.pathname === "/rpc";
    const what = isRpc
      ? String(body["method"])
      : `${request.method} ${url.pathname.replace(/^\/rest/, "")}${url.search}`;
    const params = (isRpc ? body["params"] : body) as Record<string, unknown>;
    const times = this.calls.filter((call) => call === what).length;
    this.seen.push({ what, params, headers: request.headers });
    const answer = this.#options.answers?.[what]?.(params, times) ?? new AgentRefuses(-32601, 404, "");
    if (answer instanceof Response) return answer;
    return isRpc ? overRpc(answer, body["id"]) : overRest(answer);
  }
}

function overRpc(answer: unknown, id: unknown): Response {
  const envelope = (result: unknown) =>
    result instanceof AgentRefuses
      ? { jsonrpc: "2.0", id, error: { code: result.code, message: `no: ${result.reason}` } }
      : { jsonrpc: "2.0", id, result };
  return answer instanceof Elements ? eventStream(answer, envelope) : Response.json(envelope(answer));
}

function overRest(answer: unknown): Response {
  const body = ({ status, reason }: AgentRefuses) => ({
    error: {
      code: status,
      message: `no: ${reason}`,
      details: reason === "" ? [] : [{ "@type": "type.googleapis.com/google.rpc.ErrorInfo", reason }],
    },
  });
  if (answer instanceof AgentRefuses) return Response.json(body(answer), { status: answer.status });
  if (answer instanceof Elements)
    return eventStream(answer, (element) => (element instanceof AgentRefuses ? body(element) : element));
  return Response.json(answer);
}

function eventStream({ elements, cut }: Elements, envelope: (element: unknown) => unknown): Response {
  const text = elements.map((element) => `data: ${JSON.stringify(envelope(element))}\n\n`).join("");
  return new Response(`: hello\n\n${text}${cut ? "data: {" : ""}`, {
    headers: { "content-type": "text/event-stream" },
  });
}

export const RPC = { url: `${ORIGIN}/rpc`, protocolBinding: "JSONRPC", protocolVersion: "1.0" };
export const REST = { url: `${ORIGIN}/rest`, protocolBinding: "HTTP+JSON", protocolVersion: "1.0" };

const CARD = {
  name: "Scripted",
  description: "answers what is written down",
  version: "1",
  supportedInterfaces: [RPC, REST],
  capabilities: { streaming: true, pushNotifications: true },
  defaultInputModes: ["text/plain"],
  defaultOutputModes: ["text/plain"],
  skills: [],
};

export function task(state: string, more: object = {}) {
  return { id: "t-1", contextId: "c-1", status: { state: `TASK_STATE_${state}` }, ...more };
}

export function statusOf(state: string) {
  return { statusUpdate: { taskId: "t-1", contextId: "c-1", status: { state: `TASK_STATE_${state}` } } };
}
