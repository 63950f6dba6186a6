import { TransportError } from "@cleveragents/protocol";

/** System errors that mean that nothing was ever sent. */
const UNREACHED = new Set([
  "ECONNREFUSED",
  "ENOTFOUND",
  "EAI_AGAIN",
  "EHOSTUNREACH",
  "ENETUNREACH",
  "ETIMEDOUT",
  "UND_ERR_CONNECT_TIMEOUT",
]);

/** What OpenSSL says of a certificate that is not to be trusted, and of a peer that does not speak TLS. */
const TLS = /CERT|SELF_SIGNED|UNABLE_TO_VERIFY|^ERR_TLS_|^ERR_SSL_|^EPROTO$/;

/** One request and its answer: who may end it, and what its failures mean. */
export class Exchange {
  readonly url: URL;
  readonly #controller = new AbortController();
  readonly #signal: AbortSignal | undefined;
  readonly #send: (signal: AbortSignal) => Promise<Response>;
  readonly #onAbort = () => this.#controller.abort(this.#signal?.reason);

  constructor(url: URL, send: (signal: AbortSignal) => Promise<Response>, signal: AbortSignal | undefined) {
    this.url = url;
    this.#send = send;
    this.#signal = signal;
    if (signal?.aborted === true) this.#onAbort();
    else signal?.addEventListener("abort", this.#onAbort);
  }

  /** The head of the answer; its body may still fail. */
  async response(): Promise<Response> {
    try {
      return await this.#send(this.#controller.signal);
    } catch (error) {
      throw this.failure(error, "before the answer");
    }
  }

  /** What a failure of `fetch` or of the body means to a caller. */
  failure(error: unknown, when: "before the answer" | "in the answer"): TransportError {
    if (TransportError.is(error)) return error;
    if (this.#controller.signal.aborted)
      return new TransportError("ABORTED", "the call was given up", { cause: error });
    const code = codeOf(error);
    const where = `${this.url.origin}${this.url.pathname}`;
    const why = code ?? (error instanceof Error ? error.message : String(error));
    if (when === "in the answer")
      return new TransportError("CONNECTION_LOST", `the connection to ${where} broke (${why})`, {
        cause: error,
      });
    if (code === "UND_ERR_HEADERS_TIMEOUT")
      return new TransportError("TIMEOUT", `${where} did not answer in time`, { cause: error });
    if (code !== undefined && TLS.test(code))
      return new TransportError("NOT_CONNECTED", `no safe connection to ${where} (${why})`, { cause: error });
    if (code === undefined || UNREACHED.has(code))
      return new TransportError("NOT_CONNECTED", `cannot reach ${where} (${why})`, { cause: error });
    return new TransportError(
      "CONNECTION_LOST",
      `${where} closed the connection without an answer (${why})`,
      { cause: error },
    );
  }

  /** Lets go of the connection if the answer has not been read to its end, so that the peer stops. */
  end(): void {
    this.#signal?.removeEventListener("abort", this.#onAbort);
    this.#controller.abort();
  }
}

/** Node says why in the cause; browsers do not say. */
function codeOf(error: unknown): string | undefined {
  for (
    let at: unknown = error;
    typeof at === "object" && at !== null;
    at = (at as { cause?: unknown }).cause
  ) {
    const { code } = at as { code?: unknown };
    if (typeof code === "string") return code;
  }
  return undefined;
}
