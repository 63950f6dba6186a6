import { TransportError } from "@cleveragents/protocol";
import { describe, expect, test } from "vitest";
import { createRestClient, RestError } from "./create-rest-client.ts";

function client(answer: (request: Request) => Response | Promise<Response>, seen: Request[] = []) {
  return createRestClient({
    url: "https://agent.example/rest/",
    headers: { authorization: "Bearer t" },
    query: { key: "k" },
    contentType: "application/a2a+json",
    fetch: async (input, init) => {
      const request = new Request(input, init);
      seen.push(request);
      return answer(request);
    },
  });
}
const events = (text: string) => () =>
  new Response(text, { headers: { "content-type": "text/event-stream" } });
async function all(stream: AsyncIterable<unknown>): Promise<unknown[]> {
  const list = [];
  for await (const element of stream) list.push(element);
  return list;
}
const reasonOf = (error: unknown) => (TransportError.is(error) ? error.reason : error);

describe("a request over HTTP+JSON", () => {
  test("goes below the interface's address with what every request has", async () => {
    const seen: Request[] = [];
    const body = { message: { messageId: "m" } };
    const { json } = await client(() => Response.json({ ok: 1 }), seen).request({
      verb: "POST",
      path: "/message:send",
      query: { n: "2" },
      body,
    });
    expect(json).toEqual({ ok: 1 });
    const [request] = seen;
    expect(request?.url).toBe("https://agent.example/rest/message:send?n=2&key=k");
    expect([request?.redirect, request?.headers.get("authorization")]).toEqual(["manual", "Bearer t"]);
    expect(request?.headers.get("content-type")).toBe("application/a2a+json");
    expect(await request?.json()).toEqual(body);
  });

  test("has no JSON where there is no body, and is refused with status and body", async () => {
    const nothing = client(() => new Response(null, { status: 204 }));
    expect(await nothing.request({ verb: "DELETE", path: "/x" })).toEqual({ json: undefined });
    const refused = client(() => Response.json({ error: { code: 404 } }, { status: 404 }));
    const error = await refused.request({ verb: "GET", path: "/x" }).catch((cause: unknown) => cause);
    expect(error).toBeInstanceOf(RestError);
    expect(error).toMatchObject({ status: 404, json: { error: { code: 404 } } });
  });

  test.each([
    ["what is no JSON", () => new Response("<html>"), "BAD_RESPONSE"],
    [
      "a redirect",
      () => new Response(null, { status: 307, headers: { location: "https://evil.example" } }),
      "BAD_RESPONSE",
    ],
    ["a proxy's 503", () => new Response("busy", { status: 503 }), "NOT_CONNECTED"],
    [
      "nobody",
      () => Promise.reject(new TypeError("fetch failed", { cause: { code: "ECONNREFUSED" } })),
      "NOT_CONNECTED",
    ],
  ])("answered by %s is no answer", async (_, answer, reason) => {
    const error = await client(answer)
      .request({ verb: "GET", path: "/x" })
      .catch((cause: unknown) => cause);
    expect(reasonOf(error)).toBe(reason);
  });
});

describe("a stream over HTTP+JSON", () => {
  test("gives each event with its cursor, and the one answer of an agent that does not stream", async () => {
    const streaming = client(events(': hi\n\nid: t:1\ndata: {"a":1}\n\ndata: {"b":2}\n\n'));
    expect(await all(streaming.stream({ verb: "GET", path: "/x" }))).toEqual([
      { json: { a: 1 }, cursor: "t:1" },
      { json: { b: 2 } },
    ]);
    const plain = client(() => Response.json({ c: 3 }));
    expect(await all(plain.stream({ verb: "GET", path: "/x" }))).toEqual([{ json: { c: 3 } }]);
  });

  test("that breaks off in an event is lost", async () => {
    const error = await all(
      client(events('data: {"a":1}\n\ndata: {')).stream({ verb: "GET", path: "/x" }),
    ).catch((cause: unknown) => cause);
    expect(reasonOf(error)).toBe("CONNECTION_LOST");
  });
});
