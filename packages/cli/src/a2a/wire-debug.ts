import { redact } from "../connect/debug-transport.ts";
import { cleanText } from "../output/clean.ts";

/** Headers whose values are nobody's secret; every other one may carry a credential. */
const OPEN =
  /^(accept|content-type|content-length|a2a-[\w-]+|traceparent|date|retry-after|cache-control|last-event-id)$/i;

/**
 * Shows what goes over the wire, line by line as it passes. Secrets are left out, and no option brings them back: `secrets`
 * are texts to be hidden wherever they stand.
 */
export function debugFetch(
  inner: typeof fetch,
  say: (line: string) => void,
  secrets: readonly string[],
  now: () => number,
): typeof fetch {
  const hidden = (text: string) =>
    cleanText(secrets.filter((s) => s !== "").reduce((rest, s) => rest.replaceAll(s, "[redacted]"), text));
  return async (input, init) => {
    const request = new Request(input, init);
    const began = now();
    say(`--> ${request.method} ${hidden(withoutQuery(request.url))}`);
    for (const [name, value] of request.headers) say(`--> ${name}: ${headerText(name, value, hidden)}`);
    if (typeof init?.body === "string") say(`--> ${bodyText(init.body, secrets)}`);
    const response = await inner(input, init);
    say(`<-- ${response.status} after ${now() - began} ms`);
    for (const [name, value] of response.headers) say(`<-- ${name}: ${headerText(name, value, hidden)}`);
    if (response.body === null) return response;
    const shown = response.body.pipeThrough(showLines((line) => say(`<-- ${bodyText(line, secrets)}`)));
    return new Response(shown, response);
  };
}

/** An API key may be in a query; names are enough. */
function withoutQuery(address: string): string {
  const url = new URL(address);
  const names = [...new Set(url.searchParams.keys())];
  return `${url.origin}${url.pathname}${names.length === 0 ? "" : `?${names.join("&")}`}`;
}

function headerText(name: string, value: string, hidden: (text: string) => string): string {
  return OPEN.test(name) ? hidden(value) : "[redacted]";
}

function bodyText(line: string, secrets: readonly string[]): string {
  const [, prefix = "", json = line] = /^(data:\s*)(.*)$/s.exec(line) ?? [];
  try {
    return `${prefix}${redact(JSON.parse(json), secrets)}`;
  } catch {
    return `${prefix}${redact(json, secrets)}`;
  }
}

/** Whole lines only: a secret that is cut in two would not be seen as one. */
function showLines(show: (line: string) => void): TransformStream<Uint8Array, Uint8Array> {
  const decoder = new TextDecoder();
  let rest = "";
  return new TransformStream({
    transform(chunk, controller) {
      const lines = (rest + decoder.decode(chunk, { stream: true })).split(/\r?\n/);
      rest = lines.pop() ?? "";
      for (const line of lines) if (line !== "") show(line);
      controller.enqueue(chunk);
    },
    flush() {
      if (rest !== "") show(rest);
    },
  });
}
