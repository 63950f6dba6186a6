import type { A2aActor, Artifact, Part, RemoteGraphActor, RemotePlace } from "@cleveragents/domain";

/** An actor that works elsewhere. */
export type RemoteActor = A2aActor | RemoteGraphActor;

export interface RemoteMessage {
  /** Of one message, however often it is sent: who takes it once takes it never again. */
  readonly messageId: string;
  readonly parts: readonly Part[];
  /** Parts that say more of the same; those that the other side does not say that it takes are left out. */
  readonly extras?: readonly Part[];
  /** What it goes on from; empty for what begins. */
  readonly place: RemotePlace;
  /** It answers what the work at `place` asks. */
  readonly answers?: boolean;
  /** How many agents it has come through. */
  readonly hops?: number;
  readonly acceptedOutputModes?: readonly string[] | undefined;
}

/** States in which nothing more comes by itself. */
export type RemoteRest =
  | "completed"
  | "failed"
  | "canceled"
  | "rejected"
  | "input-required"
  | "auth-required";

export type RemoteUpdate =
  /** By this it is followed from now on. */
  | { readonly kind: "taken"; readonly place: RemotePlace }
  /** `append` false begins the artifact anew. */
  | { readonly kind: "artifact"; readonly artifact: Artifact; readonly append: boolean }
  /** It says something, and works on. */
  | { readonly kind: "progress"; readonly parts: readonly Part[] }
  /** The last one of a stream. */
  | RemoteRested;

export interface RemoteRested {
  readonly kind: "rest";
  readonly state: RemoteRest;
  readonly parts: readonly Part[];
  /** Which question it is, where it asks one. */
  readonly mark?: string;
  /** What can be answered to what it asks. */
  readonly options?: readonly string[];
}

/**
 * Somebody who works elsewhere. Everything throws {@link RemoteAgentError}, and the signal's reason once that has fired.
 * Leaving a stream stops nothing over there.
 */
export interface RemoteAgent {
  /** Hands a message over and returns as soon as it is taken, or has been answered at once. */
  send(message: RemoteMessage, signal: AbortSignal): Promise<RemotePlace | RemoteRested>;
  /** Hands a message over and stays: `taken` first where there is something to follow, `rest` last. */
  say(message: RemoteMessage, signal: AbortSignal): AsyncIterable<RemoteUpdate>;
  /** What there is by now, every artifact from its beginning, then what comes; `rest` last. */
  follow(place: RemotePlace, signal: AbortSignal): AsyncIterable<RemoteUpdate>;
  /** What became of a message that may have arrived: nothing, something, or that cannot be found out. */
  find(
    messageId: string,
    place: RemotePlace,
    signal: AbortSignal,
  ): Promise<RemotePlace | "nothing" | "unknown">;
  /** Asks it to stop; what is over stays as it is. */
  cancel(place: RemotePlace, signal: AbortSignal): Promise<void>;
  /** A file that an answer names, as base64; never with a credential. */
  download(url: string, atMost: number, signal: AbortSignal): Promise<string>;
}

/** One thing that was found out about an actor that works elsewhere. */
export interface RemoteFinding {
  readonly probe: string;
  readonly verdict: "ok" | "lacking" | "failed";
  readonly detail: string;
}

export interface RemoteAgents {
  open(actor: RemoteActor, signal: AbortSignal): Promise<RemoteAgent>;
  /** What can be seen of it without giving it work. Throws the signal's reason alone. */
  probe(actor: RemoteActor, signal: AbortSignal): Promise<readonly RemoteFinding[]>;
}

export type RemoteReason =
  /** Nobody answers, or not now. */
  | "REMOTE_UNAVAILABLE"
  /** A credential is missing, or is refused. */
  | "REMOTE_AUTHENTICATION"
  /** It understood, and will not. */
  | "REMOTE_REFUSED"
  | "REMOTE_BAD_RESPONSE"
  | "REMOTE_TOO_LARGE"
  | "REMOTE_TIMEOUT"
  /** An address that is not called from here. */
  | "REMOTE_ADDRESS_REFUSED"
  /** It has begun and has not come to its end. */
  | "REMOTE_FAILED";

/** Somebody elsewhere does not answer as hoped. The message is for people, and holds no secret. */
export class RemoteAgentError extends Error {
  override readonly name = "RemoteAgentError";
  readonly reason: RemoteReason;
  /** Certainly nothing has arrived over there. */
  readonly unsent: boolean;
  constructor(
    reason: RemoteReason,
    message: string,
    { unsent = false, ...options }: ErrorOptions & { readonly unsent?: boolean } = {},
  ) {
    super(message, options);
    this.reason = reason;
    this.unsent = unsent;
  }

  /** It may be otherwise a moment later, whatever is done. */
  get transient(): boolean {
    return this.reason === "REMOTE_UNAVAILABLE";
  }
}
