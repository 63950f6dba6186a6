import type { Socket } from "node:net";
import { FrameDecoder, type FramingLimits } from "@cleveragents/protocol";
import { FrameReader } from "../../frames/frame-reader.ts";
import { FrameWriter } from "../../frames/frame-writer.ts";

/** Its own answers are not limited by us; this only bounds what a broken length could ask for. */
const LIMITS: FramingLimits = { maxMessageBytes: 256 * 1024 * 1024, maxHeaderBytes: 8 * 1024 };

/** One connection to an owner, from the front's side. */
export class OwnerLink {
  readonly #socket: Socket;
  readonly #reader: FrameReader;
  readonly #writer: FrameWriter;

  constructor(socket: Socket) {
    this.#socket = socket;
    this.#reader = new FrameReader(socket, new FrameDecoder({ framing: "length", limits: LIMITS }));
    this.#writer = new FrameWriter(socket, () => "length");
  }

  get open(): boolean {
    return this.#writer.open;
  }

  send(message: string | Uint8Array): Promise<void> | undefined {
    return this.#writer.write(message);
  }

  /** Hands over what the owner sends until the connection is lost. */
  async run(handle: (frame: Uint8Array) => Promise<void> | undefined): Promise<void> {
    try {
      await this.#reader.run(handle);
    } catch {
      // Broken off in the middle, or no messages at all: lost like any other.
    }
    this.close();
  }

  /** The client has said everything: the owner answers what is open, then ends the connection. */
  finish(): void {
    void this.#writer.end();
  }

  close(): void {
    this.#reader.stop();
    this.#socket.destroy();
  }
}
