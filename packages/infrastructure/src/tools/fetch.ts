import { promises as dns, type LookupAddress } from "node:dns";
import type { IncomingMessage } from "node:http";
import type { Readable } from "node:stream";
import { createBrotliDecompress, createGunzip, createInflate } from "node:zlib";
import { ToolError } from "@cleveragents/application";
import { z } from "zod";
import { AddressRefusedError, AllowList, admittedLookup, WebhookPolicy } from "../push/index.ts";
import { type BuiltinTool, defineTool } from "./builtin-tool.ts";

const MAX_BYTES = 5 * 1024 * 1024;
const MAX_REDIRECTS = 5;
const TIMEOUT_MS = 30_000;

export interface FetchOptions {
  /** Where else than on the internet may be looked; see `AllowList`. */
  readonly allow?: readonly string[];
  /** The addresses of a name; the system's resolver when absent. */
  readonly resolve?: (host: string) => Promise<readonly LookupAddress[]>;
}

/**
 * Reads a page of the internet. It needs the network, which a profile grants or a human lets pass; internal networks are
 * out of reach whatever a name resolves to, as they are for notifications.
 */
export function fetchTool(options: FetchOptions = {}): BuiltinTool {
  const policy = new WebhookPolicy(new AllowList(options.allow ?? []));
  const resolve = options.resolve ?? ((host: string) => dns.lookup(host, { all: true }));
  const request = async (url: URL, signal: AbortSignal): Promise<IncomingMessage> => {
    const refusal = policy.refusal(url.href);
    if (refusal !== undefined) throw new ToolError("ADDRESS_REFUSED", `the address ${refusal}`);
    const { promise, resolve: answered, reject } = Promise.withResolvers<IncomingMessage>();
    // Not before there is something to read, as in http-push-sender.ts.
    const { request: start } = await (url.protocol === "https:" ? import("node:https") : import("node:http"));
    start(url, {
      agent: false,
      lookup: admittedLookup(policy, url, resolve),
      headers: {
        "User-Agent": "CleverAgents",
        Accept: "text/html, text/*, */*;q=0.5",
        "Accept-Encoding": "gzip",
      },
      signal,
    })
      .on("error", reject)
      .on("response", answered)
      .end();
    return await promise;
  };

  return defineTool({
    name: "builtin/fetch",
    description:
      "Reads a page of the internet by GET: HTML as plain text (as it is with `raw`), other text as it is. `offset` and `limit` are characters; `truncated` says that there is more. Internal addresses are refused.",
    input: z.strictObject({
      url: z.string().min(1).max(4000),
      raw: z.boolean().default(false),
      offset: z.number().int().min(0).default(0),
      limit: z.number().int().min(1).max(100_000).default(20_000),
    }),
    readOnly: true,
    idempotent: true,
    effect: "none",
    networkOf: () => true,
    async run({ url, raw, offset, limit }, context) {
      const timeout = AbortSignal.timeout(TIMEOUT_MS);
      const signal = AbortSignal.any([context.signal, timeout]);
      try {
        const { answer, at } = await follow(parsedUrl(url), (to) => request(to, signal));
        const status = answer.statusCode ?? 0;
        const type = answer.headers["content-type"] ?? "text/plain";
        const bytes = await readAtMost(answer);
        const whole = textOf(bytes, type);
        const text =
          !raw && /\bhtml\b/i.test(type) ? (await import("./html-text.ts")).htmlText(whole) : whole;
        const content = text.slice(offset, offset + limit);
        if (status >= 400)
          throw new ToolError("HTTP_STATUS", `the server answered ${status}`, {
            status,
            content: content.slice(0, 2000),
          });
        const truncated = offset > 0 || offset + content.length < text.length;
        return {
          value: { url: at.href, status, content_type: type, content, offset, total: text.length, truncated },
          summary: `read ${at.host} (${content.length} of ${text.length} characters)`,
        };
      } catch (error) {
        if (error instanceof ToolError) throw error;
        if (context.signal.aborted)
          throw new ToolError("CANCELLED", "it was cancelled", {}, { cause: error });
        if (timeout.aborted)
          throw new ToolError("TIMEOUT", `the server took longer than ${TIMEOUT_MS / 1000} s`);
        if (error instanceof AddressRefusedError)
          throw new ToolError("ADDRESS_REFUSED", "the name leads to an internal network");
        const code = (error as NodeJS.ErrnoException).code ?? "failed";
        throw new ToolError("FETCH_FAILED", `it could not be read (${code})`, {}, { cause: error });
      }
    },
  });
}

function parsedUrl(text: string): URL {
  const url = URL.parse(text);
  if (url === null) throw new ToolError("INVALID_ARGUMENTS", "url: not an absolute URL");
  return url;
}

/** Each address of a chain of redirects is judged anew. */
async function follow(
  first: URL,
  request: (url: URL) => Promise<IncomingMessage>,
): Promise<{ readonly answer: IncomingMessage; readonly at: URL }> {
  let at = first;
  for (let hops = 0; hops <= MAX_REDIRECTS; hops += 1) {
    const answer = await request(at);
    const { location } = answer.headers;
    if (![301, 302, 303, 307, 308].includes(answer.statusCode ?? 0) || location === undefined)
      return { answer, at };
    answer.destroy();
    const next = URL.parse(location, at.href);
    if (next === null) throw new ToolError("FETCH_FAILED", "it leads to an address that cannot be read");
    at = next;
  }
  throw new ToolError("FETCH_FAILED", `it leads on more than ${MAX_REDIRECTS} times`);
}

async function readAtMost(answer: IncomingMessage): Promise<Buffer> {
  const encoding = answer.headers["content-encoding"];
  const decoder =
    encoding === "gzip"
      ? createGunzip()
      : encoding === "deflate"
        ? createInflate()
        : encoding === "br"
          ? createBrotliDecompress()
          : undefined;
  if (decoder !== undefined) answer.on("error", (error) => decoder.destroy(error)).pipe(decoder);
  const stream: Readable = decoder ?? answer;
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of stream) {
    size += (chunk as Buffer).length;
    if (size > MAX_BYTES) {
      answer.destroy();
      throw new ToolError("TOO_LARGE", `the answer is larger than ${MAX_BYTES} bytes`, { limit: MAX_BYTES });
    }
    chunks.push(chunk as Buffer);
  }
  return Buffer.concat(chunks);
}

function textOf(bytes: Buffer, type: string): string {
  const charset = /charset="?([\w-]+)/i.exec(type)?.[1] ?? "utf-8";
  const isText = /^\s*(text\/|application\/([\w.+-]*\+)?(json|xml|javascript|yaml|x-yaml|toml|xhtml))/i.test(
    type,
  );
  if (!isText || bytes.includes(0))
    throw new ToolError("BINARY_CONTENT", `it is no text but ${type.split(";", 1)[0]}`);
  try {
    return new TextDecoder(charset).decode(bytes);
  } catch {
    return new TextDecoder().decode(bytes);
  }
}
