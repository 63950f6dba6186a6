import type { Socket } from "node:net";
import { connect } from "./connect.ts";
import { clock } from "./questions.ts";

/** A connection that one event stream comes in on; counts events by the empty line that ends each. */
export class SseSocket {
  readonly #socket: Socket;
  #events = 0;
  #endedWithLineFeed = false;
  #awaited: { readonly events: number; readonly resolve: (at: number) => void } | undefined;
  #failed: (error: Error) => void = () => undefined;

  private constructor(socket: Socket) {
    this.#socket = socket;
    socket.on("data", (piece) => this.#read(piece));
    socket.on("error", (error) => this.#failed(error));
    socket.on("close", () => this.#failed(new Error(`the stream ended after ${this.#events} events`)));
  }

  static async connect(port: number): Promise<SseSocket> {
    return new SseSocket(await connect(port));
  }

  send(request: Buffer): void {
    this.#socket.write(request);
  }

  /** When so many events have come in all. */
  received(events: number): Promise<number> {
    if (this.#events >= events) return Promise.resolve(clock());
    return new Promise((resolve, reject) => {
      this.#awaited = { events, resolve };
      this.#failed = reject;
    });
  }

  close(): void {
    this.#failed = () => undefined;
    this.#socket.destroy();
  }

  /** Lines of the head and of chunks end with CR LF, so that two line feeds in a row are an event's end. */
  #read(piece: Buffer): void {
    if (this.#endedWithLineFeed && piece[0] === 10) this.#events++;
    for (let at = piece.indexOf("\n\n"); at >= 0; at = piece.indexOf("\n\n", at + 2)) this.#events++;
    this.#endedWithLineFeed = piece.at(-1) === 10 && piece.at(-2) !== 10;
    if (this.#awaited !== undefined && this.#events >= this.#awaited.events) {
      this.#awaited.resolve(clock());
      this.#awaited = undefined;
    }
  }
}
