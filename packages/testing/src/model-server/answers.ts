/** A call of a tool in a scripted answer. Arguments that are a text are sent as they stand, broken or not. */
export interface ScriptedCall {
  readonly name: string;
  readonly arguments: Readonly<Record<string, unknown>> | string;
  /** A made one when absent; `null`: it is left out. */
  readonly id?: string | null;
}

/** What the server says to one request. */
export interface ScriptedAnswer {
  readonly text?: string;
  readonly reasoning?: string;
  readonly calls?: readonly ScriptedCall[];
  /** Instead of an answer. */
  readonly status?: number;
  readonly retryAfter?: string;
  readonly error?: unknown;
  /** Milliseconds before the first byte; `never`: nothing ever comes. */
  readonly delay?: number | "never";
  /** Ends the connection after so many pieces; 0: before the first. */
  readonly cutAfter?: number;
  /** Stops after so many pieces, and leaves the connection open. */
  readonly hangAfter?: number;
  /** Sends JSON that ends in its middle in the place of the piece of this number. */
  readonly truncateAt?: number;
  /** Pieces of calls have no index, begin at 1, or jump. */
  readonly indexes?: "none" | "from-one" | "jumping" | "all-zero";
  /** `missing`: says nothing of what it has used. `wrong`: says nonsense. */
  readonly usage?:
    | "missing"
    | "wrong"
    | { readonly input: number; readonly output: number; readonly cached?: number };
  readonly finish?: string | null;
  /** Sends the whole answer as JSON although a stream was asked for. */
  readonly whole?: boolean;
  /** Pieces as they stand in the place of made ones, and what ends them; what is a text is sent as it is. */
  readonly raw?: readonly unknown[];
}

/** The answer to a request, in order, or by what it says; `undefined`: the server has nothing more to say. */
export type AnswerSource =
  | readonly ScriptedAnswer[]
  | ((request: ReceivedRequest) => ScriptedAnswer | undefined);

export interface ReceivedRequest {
  /** From 1. */
  readonly number: number;
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: Record<string, unknown>;
  /** Tokens of the request by the server's own count. */
  readonly tokens: number;
}

/** The server's own count, which is nobody else's: a token is four bytes or what is left of them. */
export function countTokens(value: unknown): number {
  const text = typeof value === "string" ? value : JSON.stringify(value ?? "");
  return Math.ceil(Buffer.byteLength(text) / 4);
}

/** Tokens of an answer by the server's own count. */
export function answerTokens({ text = "", reasoning = "", calls = [] }: ScriptedAnswer): number {
  return calls.reduce(
    (sum, call) => sum + countTokens(call.name) + countTokens(argumentsText(call)),
    (text === "" ? 0 : countTokens(text)) + (reasoning === "" ? 0 : countTokens(reasoning)),
  );
}

export function argumentsText({ arguments: given }: ScriptedCall): string {
  return typeof given === "string" ? given : JSON.stringify(given);
}
