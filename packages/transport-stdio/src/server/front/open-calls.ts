import { isRequestId, type JsonRpcRequest, parseJson, type RequestId } from "@cleveragents/protocol";
import type { LastElement } from "../../resume/resume-stream.ts";
import { readElement } from "../../resume/stream-element.ts";
import { record } from "../../resume/stream-position.ts";

/** A request that has been handed to the owner and is not answered yet. */
export interface OpenCall {
  readonly id: RequestId;
  readonly request: JsonRpcRequest;
  /** The calls that are answered together with this one, itself among them; undefined outside a batch. */
  readonly batch: readonly OpenCall[] | undefined;
  /** The last element of its stream that the client has. */
  last?: LastElement;
  /** Set while its stream is subscribed to once more: its opening Task is not for the client. */
  resumed?: "opening" | "flowing";
  /** Its stream has ended before its task: the owner is about to leave. Gives up waiting for that. */
  letGo?: () => void;
  /** The client has taken it back; the owner's word on that may be lost with the owner. */
  cancelled?: true;
  /** Its stream is over for the client, and the owner has been told to stop. */
  leaving?: true;
  /** Requests under the same id after it, which the owner refuses. */
  repeated?: number;
}

const decoder = new TextDecoder();

/** What a connection's client waits for, by id, in the order of the requests. */
export class OpenCalls {
  readonly #byId = new Map<RequestId, OpenCall>();

  /** Notes the requests of a client's message. Answers the call that the message takes back, if that is what it does. */
  note(frame: Uint8Array): OpenCall | undefined {
    const json = read(frame);
    if (Array.isArray(json)) {
      const batch: OpenCall[] = [];
      for (const entry of json) this.#note(record(entry), batch);
      return undefined;
    }
    return this.#note(record(json), undefined);
  }

  get(id: RequestId): OpenCall | undefined {
    return this.#byId.get(id);
  }

  /** Takes an answered call off the list, and those that were answered with it. */
  settle(call: OpenCall): void {
    call.letGo?.();
    for (const { id } of call.batch ?? [call]) this.#byId.delete(id);
  }

  [Symbol.iterator](): IterableIterator<OpenCall> {
    return [...this.#byId.values()].values();
  }

  #note(request: Record<string, unknown>, batch: OpenCall[] | undefined): OpenCall | undefined {
    const { id, method } = request;
    if (!("id" in request))
      return method === "$/cancelRequest" ? this.#cancelled(request["params"]) : undefined;
    if (!isRequestId(id)) return undefined;
    const present = this.#byId.get(id);
    if (present !== undefined) {
      if (batch === undefined) present.repeated = (present.repeated ?? 0) + 1;
      return undefined;
    }
    const named = { ...request, method: typeof method === "string" ? method : "" } as JsonRpcRequest; // read above
    const call: OpenCall = { id, request: named, batch };
    batch?.push(call);
    this.#byId.set(id, call);
    return undefined;
  }

  #cancelled(params: unknown): OpenCall | undefined {
    const { id } = record(params);
    const call = isRequestId(id) ? this.#byId.get(id) : undefined;
    if (call !== undefined) call.cancelled = true;
    return call;
  }
}

/** What an owner sent: an answer, answers to a batch, an element of a stream, or something else. */
export type FromOwner =
  | { readonly kind: "answer"; readonly id: RequestId; readonly json: Record<string, unknown> }
  | { readonly kind: "batch"; readonly ids: readonly RequestId[] }
  | { readonly kind: "element"; readonly id: RequestId; readonly last: LastElement };

export function readFromOwner(frame: Uint8Array): FromOwner | undefined {
  const json = read(frame);
  if (Array.isArray(json)) {
    const ids = json.map((entry) => record(entry)["id"]).filter(isRequestId);
    return { kind: "batch", ids };
  }
  const message = record(json);
  const { id, method } = message;
  if (method === undefined) return isRequestId(id) ? { kind: "answer", id, json: message } : undefined;
  const element = readElement(message);
  return typeof element?.seq === "number"
    ? { kind: "element", id: element.id, last: { ...element, seq: element.seq } }
    : undefined;
}

function read(frame: Uint8Array): unknown {
  try {
    return parseJson(decoder.decode(frame));
  } catch {
    return undefined; // the other side says what it thinks of it
  }
}
