import { createServer, type IncomingMessage, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from "fastify";
import { createCardEndpoint } from "./card-endpoint.ts";
import { corsHeaders } from "./cors.ts";
import { createDocumentEndpoint } from "./document-endpoint.ts";
import { createForwardedReader } from "./forwarded-base.ts";
import { createHostCheck, type HostCheck } from "./host-check.ts";
import { type Headers, plainError } from "./http-answer.ts";
import type { HttpCallsDeps } from "./http-calls.ts";
import { DEFAULT_HTTP_LIMITS, type HttpServerOptions } from "./http-server-options.ts";
import { missedRoute } from "./missed-route.ts";
import { OpenCalls } from "./open-calls.ts";
import { createProbeEndpoints, type ProbePath } from "./probe-endpoints.ts";
import { refusal } from "./refusal.ts";
import { REST_ROOT, RestEndpoint } from "./rest-endpoint.ts";
import { RpcEndpoint } from "./rpc-endpoint.ts";
import { sendAnswer } from "./send-answer.ts";
import type { Reply } from "./write-answer.ts";

export interface ListenOptions {
  readonly host: string;
  /** 0 is any free port. */
  readonly port: number;
}

export interface HttpServer {
  /** Throws the system's own error (`EADDRINUSE`); another port may be tried then. */
  listen(options: ListenOptions): Promise<{ readonly url: string; readonly port: number }>;
  /**
   * Stops: `/ready` fails, streams end with a hint to come back, calls in flight may finish. What is left after
   * `graceMs` milliseconds is cut off. Again is the same close.
   */
  close(graceMs: number): Promise<void>;
  readonly activeStreams: number;
  /** A request without a socket, for tests. */
  readonly inject: FastifyInstance["inject"];
}

const RPC_PATHS = ["/a2a", "/rpc"];
const CARD_PATHS = ["/.well-known/agent-card.json", "/.well-known/agent.json"];
const PROBE_PATHS: readonly ProbePath[] = ["/health", "/live", "/ready", "/version"];
const READ_ONLY = "GET, HEAD, OPTIONS";
const ALLOW: ReadonlyMap<string, string> = new Map([
  ...RPC_PATHS.map((path) => [path, "POST, OPTIONS"] as const),
  ...[...CARD_PATHS, ...PROBE_PATHS].map((path) => [path, READ_ONLY] as const),
]);

/** Nothing of what was sent is repeated, and nothing told of the names that would do. */
const NOT_OURS = {
  message: "This host or origin is not served here",
  hint: "use the server's public URL; a proxy in front of it passes on the Host of its callers",
};

/** Serves a dispatcher over HTTP: JSON-RPC with event streams, the agent card, probes (docs/bindings/http.md). */
export function createHttpServer(options: HttpServerOptions): HttpServer {
  const calls = new OpenCalls();
  const { allowedOrigins = [], logger } = options;
  const hosts = createHostCheck(options.allowedHosts, allowedOrigins);
  const rpc = new RpcEndpoint(depsOf(options, calls));
  const isServed = ({ headers, socket }: IncomingMessage) =>
    hosts.host(headers.host, socket.localAddress) && hosts.origin(headers.origin);
  // Nearly all that arrives are calls: they pass the router by.
  const app = createApp((routed) => (request, response) => {
    if (request.method !== "POST" || !RPC_PATHS.includes(request.url ?? "") || !isServed(request))
      return routed(request, response);
    void rpc.handle(request, { response, headers: corsHeaders(request.headers.origin, allowedOrigins) });
  });
  app.addHook("onRequest", (request, reply, next) => {
    if (!isServed(request.raw)) {
      sendAnswer(reply, refusal("PermissionDenied", NOT_OURS));
      return;
    }
    reply.headers(corsHeaders(request.raw.headers.origin, allowedOrigins));
    next();
  });
  addRoutes(app, options, calls, rpc);
  app.setErrorHandler((error, _request, reply) => {
    logger?.error({ error }, "a request over HTTP failed");
    sendAnswer(reply, plainError(500, "INTERNAL", "Internal error"));
  });

  let closed: Promise<void> | undefined;
  return {
    listen: (where) => listen(app, hosts, where),
    close: (graceMs) => (closed ??= close(app, calls, graceMs)),
    get activeStreams() {
      return calls.streams;
    },
    inject: app.inject.bind(app) as FastifyInstance["inject"], // bind loses the overloads
  };
}

/** `before` is given what the router does with a request, and may do something else. */
function createApp(before: (routed: RequestListener) => RequestListener): FastifyInstance {
  const app = Fastify({
    logger: false,
    // Refusing late requests is ours, in JSON-RPC.
    return503OnClosing: false,
    // The time for a whole request to arrive; a stream is an answer and not bound by it.
    serverFactory: (routed) =>
      createServer(
        { requestTimeout: 120_000, headersTimeout: 15_000, keepAliveTimeout: 75_000 },
        before(routed),
      ),
    routerOptions: { ignoreTrailingSlash: true },
    frameworkErrors: (_error, _request, reply) =>
      sendAnswer(reply, plainError(400, "INVALID_ARGUMENT", "this URL cannot be read")),
  });
  // Bodies are read by the endpoint, after authentication, as bytes; no verb's is looked at before.
  for (const verb of app.supportedMethods)
    app.addHttpMethod(verb, { hasBody: false, overrideExisting: true });
  return app;
}

function depsOf(options: HttpServerOptions, calls: OpenCalls): HttpCallsDeps {
  const { dispatcher, authenticator, heartbeatMs = 15_000, logger } = options;
  const limits = { ...DEFAULT_HTTP_LIMITS, ...options.limits };
  return { dispatcher, authenticator, calls, limits, heartbeatMs, logger };
}

/** The answer is written by whoever is handed it, with the headers that a hook has set. */
function handOver(reply: FastifyReply): Reply {
  const headers = reply.getHeaders() as Headers; // only strings are ever set, by ourselves
  reply.hijack();
  return { response: reply.raw, headers };
}

function addRoutes(
  app: FastifyInstance,
  options: HttpServerOptions,
  calls: OpenCalls,
  rpc: RpcEndpoint,
): void {
  const { logger } = options;
  for (const url of RPC_PATHS) app.post(url, (request, reply) => rpc.handle(request.raw, handOver(reply)));

  const rest = new RestEndpoint(depsOf(options, calls));
  app.all(`${REST_ROOT}/*`, (request, reply) => rest.handle(request.raw, handOver(reply)));

  const card = createCardEndpoint({
    card: options.card,
    versions: options.versions,
    forwardedBase: createForwardedReader(options.trustedProxies ?? []),
  });
  const serveCard = async (request: FastifyRequest, reply: FastifyReply) => {
    sendAnswer(reply, await card(request.raw));
    return reply;
  };
  for (const url of CARD_PATHS) app.get(url, serveCard);

  const probes = createProbeEndpoints(options.probes, () => calls.stopping, logger);
  for (const url of PROBE_PATHS)
    app.get(url, async (_request, reply) => sendAnswer(reply, await probes[url]()));

  const { documents = {} } = options;
  for (const [url, document] of Object.entries(documents)) {
    const serve = createDocumentEndpoint(document);
    app.get(url, async (request, reply) => sendAnswer(reply, serve(request.raw)));
  }

  app.setNotFoundHandler((request, reply) => {
    const path = request.url.replace(/\?.*$/s, "");
    const known = path.replace(/(?<=.)\/$/, "");
    const allow = Object.hasOwn(documents, known) ? READ_ONLY : ALLOW.get(known);
    sendAnswer(reply, missedRoute(request.method, path, allow));
  });
}

async function listen(app: FastifyInstance, hosts: HostCheck, { host, port }: ListenOptions) {
  // For the name, Fastify would open a second server on ::1, whose connections we could not end.
  await app.listen({ host: host === "localhost" ? "127.0.0.1" : host, port });
  hosts.add(host);
  const bound = app.server.address() as AddressInfo; // not a pipe: we gave a host and a port
  // However it was written: 0.0.0.0, ::, 0, 0:0:0:0:0:0:0:0.
  const unspecified = bound.address === "0.0.0.0" || bound.address === "::";
  const name = unspecified ? "localhost" : host.includes(":") ? `[${host}]` : host;
  return { url: `http://${name}:${bound.port}`, port: bound.port };
}

async function close(app: FastifyInstance, calls: OpenCalls, graceMs: number): Promise<void> {
  const cut = () => app.server.closeAllConnections();
  const deadline = setTimeout(cut, graceMs);
  // Before the server closes: it counts a connection as idle once its answer is written, sent or not.
  await calls.stop();
  clearTimeout(deadline);
  // What is open now waits for no answer; one that has never sent a request does not count as idle, though.
  const rest = setInterval(cut, 50);
  try {
    await app.close();
  } finally {
    clearInterval(rest);
  }
}
