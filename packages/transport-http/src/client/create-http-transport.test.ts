import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerResponse,
} from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import {
  createClient,
  encodeSseEvent,
  failure,
  type JsonRpcRequest,
  RemoteError,
  type StreamFrame,
  success,
  TransportError,
} from "@cleveragents/protocol";
import { afterEach, describe, expect, it } from "vitest";
import { createHttpTransport, type HttpTransportOptions } from "./create-http-transport.ts";

const servers = new Set<Server>();
afterEach(() => {
  for (const server of servers) {
    server.close();
    server.closeAllConnections();
  }
  servers.clear();
});

/** A transport to a server that behaves as told. */
async function against(answer: RequestListener, options: Partial<HttpTransportOptions> = {}) {
  const requests: IncomingMessage[] = [];
  const server = createServer((request, response) => {
    requests.push(request);
    answer(request, response);
  });
  servers.add(server);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/a2a`;
  return { url, requests, transport: createHttpTransport({ url, ...options }) };
}

const json =
  (body: unknown, status = 200, headers = {}) =>
  (_request: IncomingMessage, response: ServerResponse) => {
    response
      .writeHead(status, { "content-type": "application/json", ...headers })
      .end(typeof body === "string" ? body : JSON.stringify(body));
  };
const text =
  (body: string, type: string, status = 200) =>
  (_request: IncomingMessage, response: ServerResponse) => {
    response.writeHead(status, { "content-type": type }).end(body);
  };
const sse =
  (write: (response: ServerResponse) => unknown) => (_request: IncomingMessage, response: ServerResponse) => {
    response.writeHead(200, { "content-type": "text/event-stream" });
    void write(response);
  };

const CALL: JsonRpcRequest = { jsonrpc: "2.0", id: 1, method: "GetTask", params: {} };
const PLAIN = { serviceParameters: {} };

async function collect(frames: AsyncIterable<StreamFrame>): Promise<StreamFrame[]> {
  const all: StreamFrame[] = [];
  for await (const frame of frames) all.push(frame);
  return all;
}
const failing = (reason: string, message = /./) =>
  expect.objectContaining({ name: "TransportError", reason, message: expect.stringMatching(message) });

describe("a request", () => {
  it("is a POST of the envelope with its parameters and credentials, and gives the answer", async () => {
    let body = "";
    const answer: RequestListener = (request, response) => {
      request
        .on("data", (data) => (body += data))
        .on("end", () => json(success(1, { ok: true }))(request, response));
    };
    const { transport, requests } = await against(answer, {
      token: "t0ken",
      apiKey: "k",
      headers: { "x-trace": "7", "a2a-version": "0.3" },
    });
    expect(
      await transport.request(CALL, {
        serviceParameters: { "A2A-Version": "1.0", "A2A-Extensions": "urn:a" },
      }),
    ).toEqual(success(1, { ok: true }));
    expect(JSON.parse(body)).toEqual(CALL);
    expect(requests[0]?.method).toBe("POST");
    expect(requests[0]?.headers).toMatchObject({
      "content-type": "application/json",
      accept: "application/json",
      authorization: "Bearer t0ken",
      "x-api-key": "k",
      "x-trace": "7",
      "a2a-version": "1.0",
      "a2a-extensions": "urn:a",
    });
  });

  it("gives the error of a JSON-RPC body whatever the status", async () => {
    for (const status of [200, 400, 401, 403, 413, 503]) {
      const { transport } = await against(json(failure(null, { code: -32000, message: "no" }), status));
      expect(await transport.request(CALL, PLAIN)).toEqual(failure(null, { code: -32000, message: "no" }));
    }
  });

  it("is UNAUTHORIZED where a 401 or 403 has no such body", async () => {
    for (const status of [401, 403]) {
      for (const answer of [
        json({ error: "x" }, status),
        text("<html>", "text/html", status),
        text("", "", status),
      ]) {
        await expect((await against(answer)).transport.request(CALL, PLAIN)).rejects.toEqual(
          failing("UNAUTHORIZED", /token or API key/),
        );
      }
    }
  });

  it.each([
    [
      "an HTML page",
      text("<html>Not here</html>", "text/html; charset=utf-8", 500),
      /500 with an HTML page: a proxy/,
    ],
    ["another text", text("OK", "text/plain"), /200 with text\/plain/],
    ["no content type", text("OK", ""), /no content type/],
    ["broken JSON", json("{"), /no JSON-RPC answer/],
    ["other JSON", json({ error: { code: 500 } }, 500), /500 with JSON that is no JSON-RPC answer/],
    ["an array", json([success(1, 1)]), /no JSON-RPC answer/],
    ["a wrong path", json({ error: { code: 404 } }, 404), /404 .*the agent's JSON-RPC URL/],
    ["no content", json("", 204), /204 without content/],
  ])("that meets %s is BAD_RESPONSE and says what to look at", async (_name, answer, hint) => {
    const { transport } = await against(answer);
    const failed = await transport.request(CALL, PLAIN).catch((error: unknown) => error);
    expect(failed).toEqual(failing("BAD_RESPONSE", hint));
  });

  it("that meets a proxy without its agent is NOT_CONNECTED, so that it may be tried again", async () => {
    for (const status of [502, 503, 504]) {
      const { transport } = await against(text("<html>Bad gateway</html>", "text/html", status));
      await expect(transport.request(CALL, PLAIN)).rejects.toEqual(
        failing("NOT_CONNECTED", new RegExp(`${status} with an HTML page: a proxy`)),
      );
    }
  });

  it("does not follow a redirect: credentials stay here", async () => {
    const other = await against(json(success(1, "stolen")));
    const { transport } = await against(json("", 307, { location: other.url }), { token: "t0ken" });
    await expect(transport.request(CALL, PLAIN)).rejects.toEqual(
      failing("BAD_RESPONSE", /redirect to http.*use that URL/),
    );
    expect(other.requests).toHaveLength(0);
  });

  it("is NOT_CONNECTED where nobody listens, and names the address without its query", async () => {
    const { url } = await against(json(""));
    for (const server of servers) await new Promise((resolve) => server.close(resolve));
    await expect(createHttpTransport({ url: `${url}?secret=1` }).request(CALL, PLAIN)).rejects.toEqual(
      failing("NOT_CONNECTED", /\/a2a \(ECONNREFUSED\)$/),
    );
  });

  it.each(["SELF_SIGNED_CERT_IN_CHAIN", "CERT_HAS_EXPIRED", "ERR_TLS_CERT_ALTNAME_INVALID", "EPROTO"])(
    "is NOT_CONNECTED, and says why, where no safe connection is made: %s",
    async (code) => {
      const cause = Object.assign(new Error(code), { code });
      const refuses = () => Promise.reject(new TypeError("fetch failed", { cause }));
      await expect(
        createHttpTransport({ url: "https://agents.example/a2a", fetch: refuses }).request(CALL, PLAIN),
      ).rejects.toEqual(failing("NOT_CONNECTED", new RegExp(`^no safe connection to .*\\(${code}\\)$`)));
    },
  );

  it("is CONNECTION_LOST where the peer hangs up without an answer, or in it", async () => {
    const silent = await against((request) => request.socket.destroy());
    await expect(silent.transport.request(CALL, PLAIN)).rejects.toEqual(failing("CONNECTION_LOST"));
    const half = await against((request, response) => {
      response.writeHead(200, { "content-type": "application/json", "content-length": "100" }).write("{");
      setTimeout(() => request.socket.destroy(), 20);
    });
    await expect(half.transport.request(CALL, PLAIN)).rejects.toEqual(failing("CONNECTION_LOST"));
  });

  it("is ABORTED by its signal, before and during", async () => {
    const { transport, requests } = await against(() => {});
    await expect(transport.request(CALL, { ...PLAIN, signal: AbortSignal.abort() })).rejects.toEqual(
      failing("ABORTED"),
    );
    expect(requests).toHaveLength(0);
    await expect(transport.request(CALL, { ...PLAIN, signal: AbortSignal.timeout(30) })).rejects.toEqual(
      failing("ABORTED"),
    );
  });

  it("without an id is content with no content", async () => {
    const { transport } = await against((_request, response) => void response.writeHead(204).end());
    expect(await transport.request({ jsonrpc: "2.0", method: "Note" }, PLAIN)).toEqual(success(null, null));
  });

  it("does not read an answer without end", async () => {
    const { transport } = await against(
      (_request, response) => {
        response.writeHead(200, { "content-type": "application/json" });
        const more = () => {
          while (response.write("x".repeat(10_000))) {}
          response.once("drain", more);
        };
        more();
      },
      { maxMessageLength: 100_000 },
    );
    await expect(transport.request(CALL, PLAIN)).rejects.toEqual(
      failing("BAD_RESPONSE", /longer than 100000/),
    );
  });
});

describe("a stream", () => {
  const events = [1, 2, 3].map((n) =>
    encodeSseEvent({ id: `t:${n}`, data: JSON.stringify(success(1, { n, text: "ä😀" })) }),
  );
  const frames = [1, 2, 3].map((n) => ({ cursor: `t:${n}`, response: success(1, { n, text: "ä😀" }) }));

  it("is a frame per event, with its id as the cursor", async () => {
    const { transport, requests } = await against(sse((response) => response.end(events.join(""))));
    expect(await collect(transport.stream(CALL, PLAIN))).toEqual(frames);
    expect(requests[0]?.headers.accept).toBe("text/event-stream, application/json");
  });

  it("whose events are notifications gives their parameters, and says which they are", async () => {
    const data = JSON.stringify({ jsonrpc: "2.0", method: "task/statusUpdate", params: { taskId: "t" } });
    const event = encodeSseEvent({ id: "opaque", event: "task/statusUpdate", data });
    const { transport } = await against(sse((response) => response.end(event)));
    expect(await collect(transport.stream(CALL, PLAIN))).toEqual([
      { cursor: "opaque", event: "task/statusUpdate", response: success(1, { taskId: "t" }) },
    ]);
  });

  it("survives being cut after every byte, with CRLF, comments, types and data over several lines", async () => {
    const odd = events
      .map(
        (event) =>
          `: ping\r\nevent: x\r\n${event.replaceAll("\n", "\r\n").replace('{"jsonrpc":"2.0",', '{"jsonrpc":"2.0",\r\ndata:')}`,
      )
      .join("");
    const { transport } = await against(
      sse(async (response) => {
        response.socket?.setNoDelay(true);
        for (const byte of Buffer.from(odd)) {
          response.write(Buffer.of(byte));
          await new Promise(setImmediate);
        }
        response.end();
      }),
    );
    expect(await collect(transport.stream(CALL, PLAIN))).toEqual(frames);
  });

  it("takes no event from comments, empty data and retry hints", async () => {
    const { transport } = await against(
      sse((response) => response.end(`: a\n\ndata:\n\nretry: 250\n\n${events[0]}`)),
    );
    expect(await collect(transport.stream(CALL, PLAIN))).toEqual([frames[0]]);
  });

  it("gives no cursor to an event without an id, even after one with", async () => {
    const bare = { response: success(1, 2) };
    const { transport } = await against(
      sse((response) => response.end(`${events[0]}data: ${JSON.stringify(bare.response)}\n\n`)),
    );
    expect(await collect(transport.stream(CALL, PLAIN))).toEqual([frames[0], bare]);
  });

  it("that is answered in plain JSON is one frame", async () => {
    const refused = failure(1, { code: -32001, message: "Task not found" });
    expect(await collect((await against(json(refused))).transport.stream(CALL, PLAIN))).toEqual([
      { response: refused },
    ]);
  });

  it("that is answered by something else is BAD_RESPONSE or UNAUTHORIZED", async () => {
    const page = await against(text("<html>", "text/html"));
    await expect(collect(page.transport.stream(CALL, PLAIN))).rejects.toEqual(
      failing("BAD_RESPONSE", /HTML/),
    );
    const closed = await against(text("", "text/plain", 401));
    await expect(collect(closed.transport.stream(CALL, PLAIN))).rejects.toEqual(failing("UNAUTHORIZED"));
  });

  it.each([
    ["is not JSON", "data: {\n\n"],
    ["is no answer", 'data: {"n":1}\n\n'],
  ])("with an event that %s is BAD_RESPONSE after the good ones", async (_name, bad) => {
    const { transport } = await against(sse((response) => response.end(`${events[0]}${bad}${events[1]}`)));
    const seen: StreamFrame[] = [];
    await expect(
      (async () => {
        for await (const frame of transport.stream(CALL, PLAIN)) seen.push(frame);
      })(),
    ).rejects.toEqual(failing("BAD_RESPONSE"));
    expect(seen).toEqual([frames[0]]);
  });

  it("that breaks is CONNECTION_LOST after what arrived", async () => {
    const { transport } = await against(
      sse((response) => {
        response.write(events[0]);
        setTimeout(() => response.destroy(), 30);
      }),
    );
    const seen: StreamFrame[] = [];
    await expect(
      (async () => {
        for await (const frame of transport.stream(CALL, PLAIN)) seen.push(frame);
      })(),
    ).rejects.toEqual(failing("CONNECTION_LOST"));
    expect(seen).toEqual([frames[0]]);
  });

  it("that ends in good order in the middle of an event is CONNECTION_LOST too", async () => {
    const { transport } = await against(sse((response) => response.end(`${events[0]}id: t:2\ndata: {`)));
    await expect(collect(transport.stream(CALL, PLAIN))).rejects.toEqual(
      failing("CONNECTION_LOST", /middle of an event/),
    );
  });

  it("that is left early lets the server know", async () => {
    const left = Promise.withResolvers<void>();
    const { transport } = await against(
      sse((response) => {
        response.write(events[0]);
        response.on("close", left.resolve);
      }),
    );
    for await (const frame of transport.stream(CALL, PLAIN)) {
      expect(frame).toEqual(frames[0]);
      break;
    }
    await left.promise;
  });

  it("is ABORTED by its signal, and by closing the transport", async () => {
    const { transport } = await against(sse((response) => void response.write(events[0])));
    const aborting = new AbortController();
    const seen = collect(transport.stream(CALL, { ...PLAIN, signal: aborting.signal }));
    const other = collect(transport.stream(CALL, PLAIN));
    await sleep(50);
    aborting.abort();
    await expect(seen).rejects.toEqual(failing("ABORTED"));
    const refused = expect(other).rejects.toEqual(failing("ABORTED"));
    await transport[Symbol.asyncDispose]();
    await refused;
    await expect(transport.request(CALL, PLAIN)).rejects.toEqual(failing("NOT_CONNECTED"));
  });

  it("that falls silent is lost after the idle time, which comments put off", async () => {
    const { transport } = await against(
      sse(async (response) => {
        response.write(events[0]);
        for (let i = 0; i < 5; i++) {
          await sleep(60);
          response.write(": heartbeat\n\n");
        }
        response.write(events[1]);
      }),
      { idleTimeoutMs: 200 },
    );
    const seen: StreamFrame[] = [];
    await expect(
      (async () => {
        for await (const frame of transport.stream(CALL, PLAIN)) seen.push(frame);
      })(),
    ).rejects.toEqual(failing("CONNECTION_LOST", /200 ms/));
    expect(seen).toEqual(frames.slice(0, 2));
  });

  it("does not read an event without end", async () => {
    const { transport } = await against(
      sse((response) => {
        const more = () => {
          while (response.write("x".repeat(10_000))) {}
          response.once("drain", more);
        };
        more();
      }),
      { maxMessageLength: 100_000 },
    );
    await expect(collect(transport.stream(CALL, PLAIN))).rejects.toEqual(
      failing("BAD_RESPONSE", /longer than 100000/),
    );
  });
});

describe("the client over this transport", () => {
  it("refuses an answer with a foreign id, and takes error: null beside a result", async () => {
    const swapped = createClient((await against(json(success("1", "foreign")))).transport);
    await expect(swapped.request("GetTask", {})).rejects.toEqual(
      failing("BAD_RESPONSE", /id of another request/),
    );
    const nullError = createClient(
      (await against(json({ jsonrpc: "2.0", id: 1, result: null, error: null }))).transport,
    );
    expect(await nullError.request("GetTask", {})).toBeNull();
  });

  it("throws the error of a refusal", async () => {
    const { transport } = await against(
      json(
        failure(null, { code: -32000, message: "no", data: [{ reason: "AUTHENTICATION_REQUIRED" }] }),
        401,
      ),
    );
    const error = await createClient(transport)
      .request("GetTask", {})
      .catch((thrown: unknown) => thrown);
    expect(RemoteError.is(error) && error.reason).toBe("AUTHENTICATION_REQUIRED");
  });

  it("gives up after its timeout", async () => {
    const { transport } = await against(() => {});
    await expect(createClient(transport).request("GetTask", {}, { timeoutMs: 30 })).rejects.toEqual(
      failing("TIMEOUT"),
    );
  });
});

describe("a transport", () => {
  it("takes no URL that it cannot serve or that holds credentials", () => {
    expect(() => createHttpTransport({ url: "ftp://x" })).toThrow(TypeError);
    expect(() => createHttpTransport({ url: "http://user:pass@x" })).toThrow(/credentials/);
  });

  it("uses the fetch that it is given", async () => {
    const transport = createHttpTransport({
      url: "http://nowhere.invalid/",
      fetch: async () => Response.json(success(1, "mine")),
    });
    expect(await transport.request(CALL, PLAIN)).toEqual(success(1, "mine"));
  });

  it("marks its errors so that another copy of the package knows them", async () => {
    const transport = createHttpTransport({
      url: "http://nowhere.invalid/",
      fetch: async () => Promise.reject(new TypeError("Failed to fetch")),
    });
    const error = await transport.request(CALL, PLAIN).catch((thrown: unknown) => thrown);
    expect(TransportError.is(error) && error.reason).toBe("NOT_CONNECTED");
  });
});
