import type { Socket } from "node:net";
import type { Readable, Writable } from "node:stream";
import { setTimeout as sleep } from "node:timers/promises";
import { FrameDecoder, FramingError, TransportError } from "@cleveragents/protocol";
import { FrameReader } from "../frames/frame-reader.ts";
import { FrameWriter } from "../frames/frame-writer.ts";
import { endsStream, isInterrupted, record } from "../resume/stream-position.ts";
import { type OpenCall, OpenCalls, readFromOwner } from "./front/open-calls.ts";
import { OwnerLink } from "./front/owner-link.ts";

export interface PumpOptions {
  readonly input: Readable;
  readonly output: Writable;
  /** A new connection to an owner, which it starts if need be; called at the beginning and after each loss. */
  readonly connect: (signal: AbortSignal) => Promise<Socket>;
  /** Whether the owner that was lost died, rather than left in good order: then another is started at once. */
  readonly ownerDied: () => Promise<boolean>;
}

type Recovery = typeof import("./front/recovery.ts");

/** How long a stream that an owner let go waits for that owner to leave. */
const LEAVING_MS = 5000;
/** Owners in a row that were lost before the client got anything of them, until there is no more trying. */
const MAX_FRUITLESS = 10;
const LONGEST_PAUSE_MS = 5000;
/** An owner that lived for so long was no failed start. */
const LONG_MS = 10_000;

/**
 * Carries messages between a pair of streams and an owner's socket, no faster than the slower side takes them, and
 * outlives the owner (`docs/bindings/stdio.md`, "Fronts"). It ends when the input has ended and all is answered, or when
 * nobody takes the output any more. Throws `TransportError` NOT_CONNECTED when there is no owner to be had.
 */
export async function pump(options: PumpOptions): Promise<void> {
  await new Pump(options).run();
}

class Pump {
  readonly #options: PumpOptions;
  readonly #input: FrameReader;
  readonly #output: FrameWriter;
  readonly #calls = new OpenCalls();
  readonly #done = Promise.withResolvers<void>();
  #link: OwnerLink | undefined;
  #connecting: Promise<OwnerLink> | undefined;
  #inputOver = false;
  #finished = false;
  readonly #stopped = new AbortController();
  #recovery: Recovery | undefined;
  /** Settles when the last owner is lost and what it left open has been looked after. */
  #settled: Promise<void> = Promise.resolve();
  #fruitless = 0;

  constructor(options: PumpOptions) {
    this.#options = options;
    this.#done.promise.catch(() => {}); // may be settled before anybody waits
    const decoder = new FrameDecoder();
    this.#input = new FrameReader(options.input, decoder);
    this.#output = new FrameWriter(options.output, () => decoder.framing ?? "newline");
  }

  async run(): Promise<void> {
    // Nothing of the client's is taken before somebody is there to take it.
    await this.#connect().catch(() => {});
    void this.#output.gone.then(() => this.#finish());
    void this.#readInput();
    await this.#done.promise;
  }

  async #readInput(): Promise<void> {
    try {
      await this.#input.run((frame) => this.#up(frame));
    } catch (error) {
      if (error instanceof FramingError) void this.#output.write((await this.#load()).refusalOfInput(error));
    }
    this.#inputOver = true;
    if (this.#link !== undefined) this.#link.finish();
    // Between two owners: what nobody can end any more is not waited for.
    else await this.#fail();
  }

  #up(frame: Uint8Array): Promise<void> | undefined {
    const link = this.#link;
    if (link?.open !== true) return this.#upLater(frame);
    const cancelled = this.#calls.note(frame);
    return cancelled?.letGo === undefined ? link.send(frame) : this.#cancel(cancelled);
  }

  async #upLater(frame: Uint8Array): Promise<void> {
    await this.#connect().catch(() => {});
    if (!this.#finished) await this.#up(frame);
  }

  /** A stream that waits for the next owner is nobody's but ours to end. */
  async #cancel(call: OpenCall): Promise<void> {
    const { refusalOf } = await this.#load();
    if (this.#calls.get(call.id) === call) await this.#answer(call, refusalOf(call, "RequestCancelled"));
  }

  #connect(): Promise<OwnerLink> {
    if (this.#link?.open === true) return Promise.resolve(this.#link);
    this.#connecting ??= this.#open().finally(() => {
      this.#connecting = undefined;
    });
    return this.#connecting;
  }

  async #open(): Promise<OwnerLink> {
    try {
      await this.#settled;
      const link = new OwnerLink(await this.#options.connect(this.#stopped.signal));
      if (this.#finished) link.close();
      else this.#goOn(link);
      return link;
    } catch (error) {
      await this.#fail(error);
      throw error;
    }
  }

  /** What an earlier owner left open comes first, so that the client's next words find it in place. */
  #goOn(link: OwnerLink): void {
    this.#link = link;
    for (const call of this.#calls) {
      if (call.last !== undefined) call.resumed = "opening";
      if (this.#recovery !== undefined) void link.send(this.#recovery.requestAfterLoss(call));
    }
    const since = performance.now();
    const lost = link.run((frame) => this.#down(link, frame));
    this.#settled = lost.then(() => this.#settle(performance.now() - since));
    void this.#settled.then(() => this.#next());
  }

  #down(link: OwnerLink, frame: Uint8Array): Promise<void> | undefined {
    const message = readFromOwner(frame);
    if (message?.kind === "element") {
      const call = this.#calls.get(message.id);
      return call === undefined ? this.#output.write(frame) : this.#element(link, call, message.last, frame);
    }
    if (message?.kind === "batch") {
      const call = message.ids.map((id) => this.#calls.get(id)).find((found) => found?.batch !== undefined);
      return call === undefined ? this.#output.write(frame) : this.#answer(call, frame);
    }
    if (message === undefined) return this.#output.write(frame);
    const call = this.#calls.get(message.id);
    if (call === undefined) return this.#output.write(frame);
    if (
      call.repeated !== undefined &&
      call.repeated > 0 &&
      record(message.json["error"])["code"] === -32600
    ) {
      call.repeated--;
      return this.#output.write(frame);
    }
    return this.#ending(call, message.json, frame);
  }

  #element(
    link: OwnerLink,
    call: OpenCall,
    last: NonNullable<OpenCall["last"]>,
    frame: Uint8Array,
  ): Promise<void> | undefined {
    if (call.leaving === true) return undefined;
    if (call.resumed === "opening") {
      call.resumed = "flowing";
      const shown = this.#recovery?.openingOf(call, last);
      if (shown === undefined) return undefined;
      call.last = last;
      return this.#output.write(shown);
    }
    call.last = last;
    this.#fruitless = 0;
    // What was sent once is not sent again: its stream is a subscription now, which does not end there by itself.
    if (call.resumed === undefined || !isInterrupted(call.request.method, last.result))
      return this.#output.write(frame);
    call.leaving = true;
    void link.send(JSON.stringify({ jsonrpc: "2.0", method: "$/cancelRequest", params: { id: call.id } }));
    return this.#output.write(this.#recovery?.lastOf(call, last) ?? frame);
  }

  #ending(call: OpenCall, answer: Record<string, unknown>, frame: Uint8Array): Promise<void> | undefined {
    const { last, leaving } = call;
    this.#fruitless = 0;
    if (last === undefined && call.resumed === undefined) return this.#answer(call, frame);
    const early =
      "error" in answer ? isLeaving(answer["error"]) : !endsStream(call.request.method, last?.result);
    if (early && leaving !== true) {
      const timer = setTimeout(() => void this.#answer(call, frame), LEAVING_MS);
      call.letGo = () => clearTimeout(timer);
      return undefined;
    }
    const { resumed } = call;
    return this.#answer(
      call,
      resumed === undefined ? frame : (this.#recovery?.endOfResumed(call, answer) ?? frame),
    );
  }

  #answer(call: OpenCall, message: string | Uint8Array): Promise<void> | undefined {
    this.#calls.settle(call);
    return this.#output.write(message);
  }

  /** Answers what no other owner can go on with, then gives the next one time to be better than the last. */
  async #settle(livedMs: number): Promise<void> {
    this.#link = undefined;
    this.#fruitless = livedMs < LONG_MS ? this.#fruitless + 1 : 0;
    if (this.#inputOver) return this.#fail();
    for (const call of this.#calls) {
      call.letGo?.();
      delete call.letGo;
      const { answerAfterLoss } = await this.#load();
      // Others of its batch may have been answered with it, meanwhile.
      const answer = this.#calls.get(call.id) === call ? answerAfterLoss(call) : undefined;
      if (answer !== undefined) void this.#answer(call, answer);
    }
    if (this.#fruitless > MAX_FRUITLESS) {
      const message = "owners of the data directory end as soon as they have begun; see owner.log there";
      await this.#fail(new TransportError("NOT_CONNECTED", message));
    } else if (this.#fruitless > 1) {
      const ms = Math.min(50 * 2 ** this.#fruitless, LONGEST_PAUSE_MS);
      await sleep(ms, undefined, { signal: this.#stopped.signal }).catch(() => {});
    }
  }

  async #next(): Promise<void> {
    const waited = [...this.#calls].length > 0;
    if (this.#finished || !(waited || (await this.#options.ownerDied()))) return;
    await this.#connect().catch(() => {});
  }

  /** There is no owner to be had, or none is wanted any more: what waits for one is told so. */
  async #fail(error?: unknown): Promise<void> {
    if (this.#finished) return;
    const calls = [...this.#calls];
    if (calls.length > 0) {
      const { refusalOf } = await this.#load();
      for (const call of calls) void this.#answer(call, refusalOf(call, "ShuttingDown"));
    }
    await this.#finish(error);
  }

  async #finish(error?: unknown): Promise<void> {
    if (this.#finished) return;
    this.#finished = true;
    this.#stopped.abort();
    this.#input.stop();
    this.#options.input.destroy();
    this.#link?.close();
    for (const call of this.#calls) call.letGo?.();
    await this.#output.end();
    if (error === undefined) this.#done.resolve();
    else this.#done.reject(error);
  }

  async #load(): Promise<Recovery> {
    this.#recovery ??= await import("./front/recovery.ts");
    return this.#recovery;
  }
}

/** An owner that stops refuses what is new, and ends what is not done with the same words. */
function isLeaving(error: unknown): boolean {
  const { data } = record(error);
  const first = Array.isArray(data) ? record(data[0]) : record(data);
  return first["reason"] === "SHUTTING_DOWN";
}
