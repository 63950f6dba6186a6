import { type AgentCard, buildAgentCard } from "@cleveragents/protocol";
import { describe, expect, it } from "vitest";
import { createHttpServer } from "./create-http-server.ts";
import type { HttpServerOptions } from "./http-server-options.ts";

const PATHS = ["/.well-known/agent-card.json", "/.well-known/agent.json"];
const [PATH = ""] = PATHS;
const CONFIG = { version: "1", schemes: ["bearer", "apiKey"], retentionSeconds: 1 } as const;
const CARD = buildAgentCard({ ...CONFIG, baseUrl: "https://agents.example/a" });

function open(options: Partial<HttpServerOptions> = {}) {
  const { inject } = createHttpServer({
    dispatcher: { dispatch: async () => ({ kind: "none" }) },
    authenticator: { schemes: ["bearer"], authenticate: async () => undefined },
    card: () => CARD,
    probes: { service: "s", version: "1", ready: async () => ({ ready: true, checks: {} }) },
    allowedHosts: ["*"],
    ...options,
  });
  return (url: string, headers: Record<string, string> = {}, method: "GET" | "HEAD" = "GET") =>
    inject({ method, url, headers });
}

describe("the agent card", () => {
  it.each(PATHS)("is served at %s without a credential, to be cached", async (url) => {
    const get = open();
    const response = await get(url, { "a2a-version": "1.0" });
    expect([response.statusCode, response.json()]).toEqual([200, CARD]);
    expect(response.headers).toMatchObject({
      vary: "A2A-Version",
      "cache-control": "public, max-age=60",
      etag: expect.stringMatching(/^"[\w-]+"$/),
      "last-modified": expect.stringMatching(/ GMT$/),
    });
    const head = await get(url, { "a2a-version": "1.0" }, "HEAD");
    expect([head.statusCode, head.body]).toEqual([200, ""]);
    for (const name of ["etag", "last-modified", "vary", "cache-control", "content-type"])
      expect(head.headers[name], name).toBe(response.headers[name]);
  });

  it("is of the version that header or query name, and without one has the members of both", async () => {
    const get = open();
    const both = (await get(PATH)).json();
    expect(both).toMatchObject({
      ...CARD,
      securitySchemes: {},
      protocolVersion: "0.3.0",
      url: "https://agents.example/a/a2a",
    });
    expect((await get(PATH, { "a2a-version": "" })).json()).toEqual(both);
    const old = (await get(PATH, { "a2a-version": "0.3.1" })).json();
    expect(old).not.toHaveProperty("supportedInterfaces");
    expect(old).toMatchObject({ protocolVersion: "0.3.0", preferredTransport: "JSONRPC" });
    expect((await get(`${PATH}?A2A-Version=0.3`)).json()).toEqual(old);
    expect((await get(`${PATH}?A2A-Version=1.0`)).json()).toEqual(CARD);
  });

  it("of a version that is not served is refused with those that are", async () => {
    const response = await open()(PATH, { "a2a-version": "2.0" });
    expect([response.statusCode, response.headers["vary"]]).toEqual([400, "A2A-Version"]);
    expect(response.json().error).toMatchObject({
      code: -32009,
      data: [{ reason: "VERSION_NOT_SUPPORTED", metadata: { supported: "1.0, 0.3" } }],
    });
  });

  it("is that of 1.0 alone where nothing else is served", async () => {
    const get = open({ versions: ["1.0"] });
    expect((await get(PATH)).json()).toEqual(CARD);
    expect((await get(PATH, { "a2a-version": "0.3" })).statusCode).toBe(400);
  });

  it("has a tag for each form, and is not sent again to who has it, by strong, weak, listed or any tag", async () => {
    const get = open();
    const tags = new Set<string>();
    for (const version of ["", "1.0", "0.3"]) {
      const headers = { "a2a-version": version };
      const etag = String((await get(PATH, headers)).headers["etag"]);
      tags.add(etag);
      for (const tag of [etag, `W/${etag}`, `"other", ${etag}`, "*"]) {
        const again = await get(PATH, { ...headers, "if-none-match": tag });
        expect([again.statusCode, again.body, again.headers["etag"]]).toEqual([304, "", etag]);
        expect(again.headers["vary"]).toBe("A2A-Version");
      }
      expect((await get(PATH, { ...headers, "if-none-match": '"other"' })).statusCode).toBe(200);
    }
    expect(tags.size).toBe(3);
  });

  it("is not sent again to who has it since its last change, unless a tag says otherwise", async () => {
    const get = open();
    const since = { "if-modified-since": String((await get(PATH)).headers["last-modified"]) };
    expect((await get(PATH, since)).statusCode).toBe(304);
    expect((await get(PATH, { ...since, "if-none-match": '"other"' })).statusCode).toBe(200);
    const before = { "if-modified-since": "Thu, 01 Jan 1998 00:00:00 GMT" };
    expect((await get(PATH, before)).statusCode).toBe(200);
    expect((await get(PATH, { "if-modified-since": "yesterday" })).statusCode).toBe(200);
  });

  it("has another tag when it changes", async () => {
    let card: AgentCard = CARD;
    const get = open({ card: async () => card });
    const before = (await get(PATH)).headers["etag"];
    card = { ...CARD, version: "2" };
    expect((await get(PATH)).headers["etag"]).not.toBe(before);
  });

  describe("behind a proxy", () => {
    const card = (base = "http://localhost:8000") => buildAgentCard({ ...CONFIG, baseUrl: base });
    const forwarded = {
      "x-forwarded-proto": "https, http",
      "x-forwarded-host": "agents.example",
      "x-forwarded-prefix": "/a/",
      "a2a-version": "1.0",
    };
    const urlsOf = async (trustedProxies: readonly string[], headers: Record<string, string>) => {
      const { supportedInterfaces } = (await open({ card, trustedProxies })(PATH, headers)).json();
      return [...new Set((supportedInterfaces as { url: string }[]).map(({ url }) => url))];
    };
    const own = ["http://localhost:8000/a2a", "http://localhost:8000/a2a/rest"];

    it.each([["127.0.0.1"], ["127.0.0.0/8"]])(
      "that is trusted as %s has the address that it says",
      async (trusted) => {
        expect(await urlsOf(["10.1.1.1", trusted], forwarded)).toEqual([
          "https://agents.example/a/a2a",
          "https://agents.example/a/a2a/rest",
        ]);
      },
    );

    it("that nobody trusts has its own", async () => {
      expect(await urlsOf([], forwarded)).toEqual(own);
      expect(await urlsOf(["10.0.0.0/8"], forwarded)).toEqual(own);
    });

    it.each([
      ["x-forwarded-host", "evil.example/path"],
      ["x-forwarded-host", "a b"],
      ["x-forwarded-host", "user@evil.example"],
      ["x-forwarded-proto", "javascript"],
      ["x-forwarded-prefix", "//evil.example"],
      ["x-forwarded-prefix", "/a?b"],
    ])("that says %s: %s has its own", async (name, value) => {
      expect(await urlsOf(["127.0.0.1"], { ...forwarded, [name]: value })).toEqual(own);
    });
  });
});
