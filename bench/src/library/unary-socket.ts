import type { Socket } from "node:net";
import { connect } from "./connect.ts";
import { clock } from "./questions.ts";

const HEAD_END = Buffer.from("\r\n\r\n");

/** A kept connection that asks again as soon as it is answered. Reads no more of HTTP than it must, to cost little. */
export class UnarySocket {
  readonly #socket: Socket;
  #buffered: Buffer = Buffer.alloc(0);
  #answered: (body: Buffer) => void = () => undefined;
  #failed: (error: Error) => void = () => undefined;

  private constructor(socket: Socket) {
    this.#socket = socket;
    socket.on("data", (piece) => this.#read(piece));
    socket.on("error", (error) => this.#failed(error));
    socket.on("close", () => this.#failed(new Error("the server closed the connection")));
  }

  static async connect(port: number): Promise<UnarySocket> {
    return new UnarySocket(await connect(port));
  }

  body(request: Buffer): Promise<string> {
    return new Promise((resolve, reject) => {
      this.#answered = (body) => resolve(body.toString("utf8"));
      this.#failed = reject;
      this.#socket.write(request);
    });
  }

  /** How many answers came until then; `next` makes each request. */
  repeat(next: () => Buffer, until: number): Promise<number> {
    return new Promise((resolve, reject) => {
      let count = 0;
      this.#failed = reject;
      this.#answered = () => {
        count++;
        if (clock() < until) this.#socket.write(next());
        else resolve(count);
      };
      this.#socket.write(next());
    });
  }

  #read(piece: Buffer): void {
    const buffered = this.#buffered.length === 0 ? piece : Buffer.concat([this.#buffered, piece]);
    this.#buffered = buffered;
    const head = buffered.indexOf(HEAD_END);
    if (head < 0) return;
    const text = buffered.toString("latin1", 0, head);
    const length = /^content-length: *(\d+)/im.exec(text)?.[1];
    if (!text.startsWith("HTTP/1.1 200") || length === undefined) {
      this.#failed(new Error(`unexpected answer: ${text}`));
      return;
    }
    const end = head + HEAD_END.length + Number(length);
    if (buffered.length < end) return;
    this.#buffered = Buffer.alloc(0);
    this.#answered(buffered.subarray(head + HEAD_END.length, end));
  }
}
