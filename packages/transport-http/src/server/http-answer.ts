/** Headers by lower-case name. */
export type Headers = Readonly<Record<string, string>>;

/** A whole answer, ready to be sent. */
export interface HttpAnswer {
  readonly status: number;
  readonly headers: Headers;
  /** Empty where the status has no content. */
  readonly body: string;
}

export const JSON_TYPE = "application/json; charset=utf-8";

export function jsonAnswer(status: number, body: string, headers: Headers = {}): HttpAnswer {
  return { status, headers: { "content-type": JSON_TYPE, ...headers }, body };
}

/** For what is no call: the REST shape of A2A §11.6. */
export function plainError(status: number, word: string, message: string, headers: Headers = {}): HttpAnswer {
  return jsonAnswer(status, JSON.stringify({ error: { code: status, status: word, message } }), headers);
}
