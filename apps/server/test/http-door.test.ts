import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer, request } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ApiKeyAuthenticator } from "@cleveragents/infrastructure/auth";
import { createClient, RemoteError } from "@cleveragents/protocol";
import { scriptedMessageActor } from "@cleveragents/testing";
import { checkCardSignature, createHttpTransport } from "@cleveragents/transport-http/client";
import { exportJWK, exportPKCS8, generateKeyPair, type JWTPayload, SignJWT } from "jose";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { serveHttp } from "../src/commands/serve-http.ts";
import { readConfig } from "../src/config.ts";
import { bootMachine } from "./in-memory-server.ts";

const nobody = { schemes: [], authenticate: async () => undefined } as const;

/** The product behind the HTTP server that `start` would open with this environment. */
async function open(env: Record<string, string>, args: readonly string[] = []) {
  await using undo = new AsyncDisposableStack();
  const machine = undo.use(await bootMachine({ actor: scriptedMessageActor }));
  const composition = await machine.start();
  undo.defer(() => composition.stop(1000));
  const { clock, keys, logger } = machine.adapters;
  const { server, url } = await serveHttp({
    config: readConfig(["--port", "0", ...args], env, "/nowhere", "/nowhere"),
    dispatcher: composition.dispatcher,
    local: nobody,
    keys: new ApiKeyAuthenticator({ clock, keys }),
    ready: async () => ({ ready: true, checks: {} }),
    logger,
  });
  undo.defer(() => server.close(0));
  const stack = undo.move();
  const card = async (headers: Record<string, string> = {}) =>
    (await (await fetch(`${url}/.well-known/agent-card.json`, { headers })).json()) as Record<string, never>;
  return {
    url,
    card,
    logged: machine.logged,
    as: (token: string) => createClient(createHttpTransport({ url: `${url}/a2a`, token })),
    [Symbol.asyncDispose]: () => stack.disposeAsync(),
  };
}

const addressesIn = (card: object) =>
  [...JSON.stringify(card).matchAll(/"url":"([^"]+)"/g)].map((match) => match[1]);

describe("the addresses in the card", () => {
  const forged = { "x-forwarded-proto": "https", "x-forwarded-host": "evil.example" };

  test("are below the public URL, whatever proxies say", async () => {
    await using server = await open({
      A2A_PUBLIC_URL: "https://x.example/a//",
      A2A_TRUSTED_PROXIES: "127.0.0.1",
    });
    for (const version of ["", "1.0", "0.3"]) {
      const addresses = addressesIn(await server.card({ ...forged, "a2a-version": version }));
      expect(addresses.length).toBeGreaterThan(1);
      expect(new Set(addresses)).toEqual(
        new Set(["https://x.example/a/a2a", "https://x.example/a/a2a/rest"]),
      );
    }
  });

  test("are where the server really listens, and never an unspecified one", async () => {
    await using server = await open({ A2A_HOST: "0.0.0.0" });
    const { port } = new URL(server.url);
    const addresses = addressesIn(await server.card(forged));
    expect(new Set(addresses)).toEqual(
      new Set([`http://localhost:${port}/a2a`, `http://localhost:${port}/a2a/rest`]),
    );
    expect(server.logged).toContainEqual(
      expect.objectContaining({ level: "warn", message: expect.stringContaining("A2A_PUBLIC_URL") }),
    );
  });

  test("are those that a trusted proxy says", async () => {
    await using server = await open({ A2A_TRUSTED_PROXIES: "127.0.0.0/8" });
    const proxied = { ...forged, "x-forwarded-host": "agents.example" };
    expect(addressesIn(await server.card(proxied))).toContain("https://agents.example/a2a");
    expect(addressesIn(await server.card())).toContain(`${server.url}/a2a`);
  });
});

test("the card is signed with the operator's key, and says who provides the agent", async () => {
  const directory = await mkdtemp(join(tmpdir(), "cleveragents-key-"));
  try {
    const { privateKey, publicKey } = await generateKeyPair("ES256", { extractable: true });
    const path = join(directory, "key.pem");
    await writeFile(path, await exportPKCS8(privateKey));
    await using server = await open({
      A2A_CARD_SIGNING_KEY: path,
      A2A_CARD_SIGNING_KID: "k1",
      A2A_PROVIDER_NAME: "Example",
      A2A_PROVIDER_URL: "https://example.com",
    });
    const card = await server.card();
    expect(await checkCardSignature(card, async () => publicKey)).toMatchObject({ kid: "k1" });
    expect(card["provider"]).toEqual({ organization: "Example", url: "https://example.com" });
    await writeFile(path, "secret");
    await expect(open({ A2A_CARD_SIGNING_KEY: path, A2A_CARD_SIGNING_KID: "k" })).rejects.toThrow(
      /^A2A_CARD_SIGNING_KEY is no key to sign with: (?!.*secret)/,
    );
    await expect(open({ A2A_CARD_SIGNING_KEY: `${path}.gone` })).rejects.toThrow(/cannot be read \(ENOENT\)/);
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
});

describe("callers with bearer tokens", () => {
  let keyPair: Awaited<ReturnType<typeof generateKeyPair>>;
  const issuer = createServer(async (_request, response) => {
    const keys = [{ ...(await exportJWK(keyPair.publicKey)), kid: "one", alg: "RS256" }];
    response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify({ keys }));
  });
  let server: Awaited<ReturnType<typeof open>>;

  beforeAll(async () => {
    keyPair = await generateKeyPair("RS256");
    await new Promise<void>((listening) => issuer.listen(0, "127.0.0.1", listening));
    server = await open({
      A2A_JWT_ISSUER: "https://login.example",
      A2A_JWT_AUDIENCE: "agents",
      A2A_JWT_JWKS_URL: `http://127.0.0.1:${(issuer.address() as AddressInfo).port}/jwks`,
      A2A_JWT_TENANT_CLAIM: "org",
    });
  });
  afterAll(async () => {
    await server[Symbol.asyncDispose]();
    issuer.closeAllConnections();
    await new Promise((closed) => issuer.close(closed));
  });

  const ALL = "task:read task:write registry:read health:read";
  const tokenOf = (sub: string, claims: JWTPayload = {}) =>
    new SignJWT({ iss: "https://login.example", aud: "agents", scope: ALL, ...claims, sub })
      .setProtectedHeader({ alg: "RS256", kid: "one" })
      .setExpirationTime("5 minutes")
      .sign(keyPair.privateKey);
  const post = async (token: string, method: string, params: object = {}) => {
    const response = await fetch(`${server.url}/a2a`, {
      method: "POST",
      headers: { "content-type": "application/json", "a2a-version": "1.0", authorization: `bearer ${token}` },
      body: JSON.stringify({ jsonrpc: "2.0", id: 1, method, params }),
    });
    return { status: response.status, challenge: response.headers.get("www-authenticate") };
  };

  test("are let in as the card declares, and are told what their token lacks", async () => {
    expect((await server.card({ "a2a-version": "1.0" }))["securitySchemes"]).toMatchObject({
      jwt: { httpAuthSecurityScheme: { scheme: "Bearer", bearerFormat: "JWT" } },
    });
    expect(await post(await tokenOf("anna"), "ListTasks")).toEqual({ status: 200, challenge: null });
    expect(await post(await tokenOf("anna", { aud: "other" }), "ListTasks")).toEqual({
      status: 401,
      challenge: expect.stringContaining('Bearer realm="cleveragents", error="invalid_token"'),
    });
    expect(await post(await tokenOf("anna", { scope: "task:write" }), "ListTasks")).toEqual({
      status: 403,
      challenge: 'Bearer realm="cleveragents", error="insufficient_scope", scope="task:read"',
    });
    expect(await post(await tokenOf("anna", { scope: "openid" }), "ListTasks")).toMatchObject({
      status: 403,
    });
  });

  test("may name the tenants that their token names", async () => {
    const token = await tokenOf("anna", { org: ["acme"] });
    expect(await post(token, "ListTasks", { tenant: "acme" })).toMatchObject({ status: 200 });
    expect(await post(token, "ListTasks", { tenant: "other" })).toMatchObject({ status: 403 });
    const rest = (path: string) =>
      fetch(`${server.url}/a2a/rest${path}`, { headers: { authorization: `Bearer ${token}` } });
    expect((await rest("/acme/tasks")).status).toBe(200);
    expect((await rest("/other/tasks")).status).toBe(403);
    expect((await rest("/tasks?tenant=other")).status).toBe(403);
  });

  test("see nothing of each other's tasks, as if they were not there", async () => {
    const [anna, bert] = [server.as(await tokenOf("anna")), server.as(await tokenOf("bert"))];
    await using _clients = new AsyncDisposableStack();
    _clients.use(anna);
    _clients.use(bert);
    const theirs = await taskOf(anna);
    const unknown = "01ARZ3NDEKTSV4RRFFQ69G5FAV";
    const asked = (id: string): Promise<unknown>[] => [
      bert.call("GetTask", { id }),
      bert.call("CancelTask", { id }),
      bert.stream("SubscribeToTask", { id })[Symbol.asyncIterator]().next(),
      bert.call("SendMessage", {
        message: { messageId: `m-${id}`, role: "ROLE_USER", taskId: id, parts: [{ text: "mine now" }] },
      }),
      bert.call("ListTaskPushNotificationConfigs", { taskId: id }),
    ];
    const refusals = async (id: string) =>
      (await Promise.allSettled(asked(id))).map((outcome) =>
        outcome.status === "rejected" && RemoteError.is(outcome.reason)
          ? [outcome.reason.code, outcome.reason.message]
          : "answered",
      );
    expect(await refusals(theirs)).toEqual(await refusals(unknown));
    expect(new Set((await refusals(theirs)).map(([code]) => code))).toEqual(new Set([-32001]));
    expect((await bert.call("ListTasks", {})).totalSize).toBe(0);
    expect((await anna.call("ListTasks", {})).totalSize).toBe(1);
  });

  /** A task that a message made, whatever has become of it. */
  async function taskOf(client: ReturnType<typeof server.as>): Promise<string> {
    const answer = await client.call("SendMessage", {
      message: { messageId: "first", role: "ROLE_USER", parts: [{ text: "hello" }] },
      configuration: { returnImmediately: true },
    });
    if (!("task" in answer)) throw new Error("answered with a message");
    return answer.task.id;
  }

  test("find nothing of their tokens in the log", async () => {
    const token = await tokenOf("carl", { aud: "other" });
    await post(token, "ListTasks");
    expect(JSON.stringify(server.logged)).not.toContain(token.slice(-40));
  });
});

test("without a credential no page of another site reaches the agent", async () => {
  await using server = await open({}, ["--no-auth"]);
  const { host } = new URL(server.url);
  const call = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "ListTasks", params: {} });
  /** As a browser would send it, with a Host that `fetch` does not let one choose. */
  const post = (path: string, headers: Record<string, string>) =>
    new Promise<[number | undefined, string | undefined]>((answered, failed) => {
      const sent = { host, "content-type": "application/json", "a2a-version": "1.0", ...headers };
      request(`${server.url}${path}`, { method: "POST", headers: sent }, (response) => {
        response.resume();
        answered([response.statusCode, response.headers["access-control-allow-origin"]]);
      })
        .on("error", failed)
        .end(call);
    });
  expect(await post("/a2a", {})).toEqual([200, undefined]);
  for (const [path, refused] of [
    ["/a2a", 415],
    ["/a2a/rest/message:send", 400], // A2A §5.4
  ] as const) {
    expect(await post(path, { host: "evil.example" })).toEqual([403, undefined]);
    expect(await post(path, { origin: "https://evil.example" })).toEqual([403, undefined]);
    expect(await post(path, { origin: "null" })).toEqual([403, undefined]);
    expect(await post(path, { "content-type": "text/plain" })).toEqual([refused, undefined]);
  }
});

test("without a credential everybody is the local user, and the card asks for none", async () => {
  await using server = await open({}, ["--no-auth"]);
  const card = await server.card({ "a2a-version": "1.0" });
  expect(card).not.toHaveProperty("securitySchemes");
  await using client = createClient(createHttpTransport({ url: `${server.url}/a2a` }));
  expect((await client.call("ListTasks", {})).tasks).toEqual([]);
});
