import { createServer, type Socket } from "node:net";
import {
  type CallContext,
  type DispatchAnswer,
  type Dispatcher,
  failure,
  formatCursor,
  type JsonRpcRequest,
  LOCAL_PRINCIPAL,
  parseCursor,
  RESUME_EXTENSION,
  type StreamElement,
  success,
} from "@cleveragents/protocol";
import { type Connection, serveConnection } from "../server/serve-connection.ts";
import { openSocket } from "../socket/open-socket.ts";

/** A task whose log outlives the owners that serve it. Its first event is number 1. */
export class FakeTask {
  readonly id = "t1";
  readonly #events: { readonly state: string }[] = [];
  /** Events up to this one are gone from the log. */
  goneUpTo = 0;
  readonly #waiting = new Set<() => void>();

  get state(): string {
    return this.#events.at(-1)?.state ?? "TASK_STATE_SUBMITTED";
  }

  get seq(): number {
    return this.#events.length;
  }

  add(...states: readonly string[]): void {
    for (const state of states) this.#events.push({ state: `TASK_STATE_${state}` });
    for (const wake of [...this.#waiting]) wake();
  }

  async *follow(context: CallContext, ends: (state: string) => boolean): AsyncGenerator<StreamElement> {
    const parameters = context.serviceParameters;
    const resumable = (parameters["a2a-extensions"] ?? "").includes(RESUME_EXTENSION);
    const cursor = resumable ? parseCursor(parameters["last-event-id"] ?? "") : undefined;
    const gap = cursor !== undefined && cursor.seq < this.goneUpTo;
    let seq = gap || cursor === undefined ? this.seq : cursor.seq;
    const metadata = gap ? { metadata: { [RESUME_EXTENSION]: { gap: true } } } : {};
    yield this.#element(seq, { task: { id: this.id, status: { state: this.state }, ...metadata } });
    while (!context.signal.aborted) {
      const event = this.#events[seq];
      if (event === undefined) {
        if (ends(this.state)) return;
        await this.#change(context.signal);
        continue;
      }
      seq++;
      yield this.#element(seq, { statusUpdate: { taskId: this.id, status: { state: event.state } } });
      if (ends(event.state)) return;
    }
  }

  /** The same as notifications with cursors of their own; it ends with the task. */
  async *notify(context: CallContext): AsyncGenerator<StreamElement> {
    const last = context.serviceParameters["last-event-id"];
    let seq = last === undefined ? this.seq : Number(last.slice(1));
    const over = () => isTerminal(this.state) && seq === this.seq;
    const subscribed = { subscription: {}, sequence: seq, ...(over() ? { final: true } : {}) };
    yield { cursor: `e${seq}`, seq, event: "event/subscribed", result: subscribed };
    while (!over() && !context.signal.aborted) {
      const event = this.#events[seq];
      if (event === undefined) {
        await this.#change(context.signal);
        continue;
      }
      seq++;
      const state = event.state.slice(11).toLowerCase();
      const final = isTerminal(event.state) ? { final: true } : {};
      const result = { event_id: `${this.id}:${seq}`, sequence: seq, state, ...final };
      yield { cursor: `e${seq}`, seq, event: "task/statusUpdate", result };
    }
  }

  #element(seq: number, result: unknown): StreamElement {
    return { cursor: formatCursor(this.id, seq), seq, result };
  }

  #change(signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const wake = () => {
        this.#waiting.delete(wake);
        resolve();
      };
      this.#waiting.add(wake);
      signal.addEventListener("abort", wake, { once: true });
    });
  }
}

const isTerminal = (state: string) => /COMPLETED|FAILED|CANCELED|REJECTED/.test(state);

/** One owner after the other on one task. `Wait` is never answered, `SubscribeToTask` only while `silent` is false. */
export class FakeOwners implements AsyncDisposable {
  readonly task = new FakeTask();
  /** What has been asked for, by method. */
  readonly asked: JsonRpcRequest[] = [];
  silent = false;
  started = 0;
  readonly #path: string;
  #present:
    | { server: ReturnType<typeof createServer>; sockets: Set<Socket>; open: Set<Connection> }
    | undefined;

  constructor(path: string) {
    this.#path = path;
  }

  get connections(): number {
    return this.#present?.open.size ?? 0;
  }

  /** Connects to the owner, starting one if there is none. */
  async connect(): Promise<Socket> {
    if (this.#present === undefined) await this.#start();
    return await openSocket(this.#path);
  }

  /** As `kill -9` does it: no word to anybody. */
  async kill(): Promise<void> {
    const present = this.#present;
    this.#present = undefined;
    for (const socket of present?.sockets ?? []) socket.destroy();
    await new Promise<void>((resolve) =>
      present === undefined ? resolve() : present.server.close(() => resolve()),
    );
  }

  /** As an owner does it that was told to stop. */
  async leave(): Promise<void> {
    const present = this.#present;
    this.#present = undefined;
    const closed = new Promise<void>((resolve) => present?.server.close(() => resolve()));
    await Promise.all([...(present?.open ?? [])].map((connection) => connection.close(0)));
    await closed;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.kill();
  }

  async #start(): Promise<void> {
    this.started++;
    const sockets = new Set<Socket>();
    const open = new Set<Connection>();
    const server = createServer({ allowHalfOpen: true }, (socket) => {
      sockets.add(socket);
      const connection = serveConnection({
        dispatcher: this.#dispatcher,
        input: socket,
        output: socket,
        principal: LOCAL_PRINCIPAL,
        limits: { drainMs: 100 },
      });
      open.add(connection);
      void connection.closed.then(() => open.delete(connection));
    });
    await new Promise<void>((resolve) => server.listen(this.#path, resolve));
    this.#present = { server, sockets, open };
  }

  readonly #dispatcher: Dispatcher = {
    dispatch: async (message, context): Promise<DispatchAnswer> => {
      if (typeof message === "string" || message instanceof Uint8Array) return { kind: "none" };
      if (message.kind === "batch") {
        const [entry] = message.entries;
        const answer = await this.#dispatcher.dispatch(entry ?? "", context);
        return answer.kind === "one"
          ? { ...answer, kind: "batch", responses: [answer.response] }
          : { kind: "none" };
      }
      if (message.kind === "invalid") {
        const error = { code: -32600, message: message.message ?? message.error };
        return { kind: "one", response: failure(message.id, error), serviceParameters: {} };
      }
      const { request } = message;
      if (!request.method.startsWith("$/")) this.asked.push(request);
      return this.#answer(request, context);
    },
  };

  async #answer(request: JsonRpcRequest, context: CallContext): Promise<DispatchAnswer> {
    const { id = null, method, params } = request;
    const extensions = context.serviceParameters["a2a-extensions"];
    const serviceParameters: Record<string, string> =
      extensions === undefined ? {} : { "A2A-Extensions": extensions };
    const stream = (ends: (state: string) => boolean): DispatchAnswer => ({
      kind: "stream",
      id,
      elements: this.task.follow(context, ends),
      failed: () => failure(id, { code: -32603, message: "failed" }),
      serviceParameters,
    });
    if (method === "Wait" || (method === "SubscribeToTask" && this.silent)) {
      await new Promise((resolve) => context.signal.addEventListener("abort", resolve));
      return { kind: "none" };
    }
    if (method === "SubscribeToTask") return stream(isTerminal);
    if (method === "_cleveragents/event/subscribe")
      return { ...stream(isTerminal), elements: this.task.notify(context) } as DispatchAnswer;
    if (method === "SendStreamingMessage")
      return stream((state) => isTerminal(state) || state === "TASK_STATE_INPUT_REQUIRED");
    return { kind: "one", response: success(id, params ?? null), serviceParameters };
  }
}
