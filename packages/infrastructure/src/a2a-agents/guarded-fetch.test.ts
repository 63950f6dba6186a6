import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { RemoteAgentError } from "@cleveragents/application";
import { describe, expect, test } from "vitest";
import { type EgressOptions, egressOf } from "./egress.ts";
import { guardedFetch } from "./guarded-fetch.ts";

async function listen(listener: RequestListener) {
  const server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/`,
    port,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

const local: EgressOptions = { loopback: () => true };
const fetching = (options: EgressOptions = local, more: Partial<Parameters<typeof guardedFetch>[0]> = {}) =>
  guardedFetch({ egress: egressOf(options)(), silenceMs: 10_000, maxBytes: 1000, ...more });

async function refusalOf(asked: Promise<unknown>): Promise<RemoteAgentError> {
  const error = await asked.then(
    () => new Error("it was not refused"),
    (caught: unknown) => caught,
  );
  expect(error).toBeInstanceOf(RemoteAgentError);
  return error as RemoteAgentError;
}

describe("a request to another agent", () => {
  test("is sent with the credential, and its answer is as it came", async () => {
    const asked: unknown[] = [];
    await using server = await listen((request, response) => {
      asked.push([request.method, request.headers.authorization, request.headers["a2a-version"]]);
      response.writeHead(404, { "content-type": "application/json" }).end('{"ü":1}');
    });
    const fetch = fetching(local, { credential: { header: "authorization", value: "Bearer x" } });
    const response = await fetch(server.url, {
      method: "POST",
      body: "{}",
      headers: { "A2A-Version": "1.0" },
    });
    expect([response.status, await response.json()]).toEqual([404, { ü: 1 }]);
    expect(asked).toEqual([["POST", "Bearer x", "1.0"]]);
  });

  test("goes to this host only where it may, and to an internal one never, whatever it is called", async () => {
    await using server = await listen((_, response) => void response.end("x"));
    expect(await refusalOf(fetching({})(server.url))).toMatchObject({
      reason: "REMOTE_ADDRESS_REFUSED",
      unsent: true,
    });
    const rebound = { ...local, resolve: async () => [{ address: "10.0.0.5", family: 4 }] };
    expect(await refusalOf(fetching(rebound)(`http://agents.example:${server.port}/`))).toMatchObject({
      reason: "REMOTE_ADDRESS_REFUSED",
    });
    const named = { allow: ["agents.example"], resolve: async () => [{ address: "127.0.0.1", family: 4 }] };
    expect((await fetching(named)(`http://agents.example:${server.port}/`)).status).toBe(200);
  });

  test.each([
    [301, "REMOTE_BAD_RESPONSE"],
    [307, "REMOTE_BAD_RESPONSE"],
    [401, "REMOTE_AUTHENTICATION"],
    [403, "REMOTE_AUTHENTICATION"],
    [429, "REMOTE_UNAVAILABLE"],
    [503, "REMOTE_UNAVAILABLE"],
  ])("that is answered %i is %s, and followed nowhere", async (status, reason) => {
    const paths: unknown[] = [];
    await using server = await listen((request, response) => {
      paths.push(request.url);
      response.writeHead(status, { location: "/elsewhere" }).end("secret words");
    });
    const refusal = await refusalOf(fetching()(server.url));
    expect(refusal.reason).toBe(reason);
    expect(refusal.message).not.toContain("secret");
    expect(paths).toEqual(["/"]);
  });

  test("that nobody takes was surely not sent; one that was cut off may have been", async () => {
    await using gone = await listen(() => undefined);
    const { url } = gone;
    await gone[Symbol.asyncDispose]().catch(() => undefined);
    expect(await refusalOf(fetching()(url))).toMatchObject({ reason: "REMOTE_UNAVAILABLE", unsent: true });
    await using cutting = await listen((request) => void request.socket.destroy());
    expect(await refusalOf(fetching()(cutting.url))).toMatchObject({
      reason: "REMOTE_UNAVAILABLE",
      unsent: false,
    });
  });

  test("is given up when its answer is too long, or is silent for too long", async () => {
    await using long = await listen((_, response) => void response.end("x".repeat(2000)));
    const response = await fetching()(long.url);
    expect(await refusalOf(response.text())).toMatchObject({ reason: "REMOTE_TOO_LARGE" });
    await using silent = await listen(() => undefined);
    expect(await refusalOf(fetching(local, { silenceMs: 50 })(silent.url))).toMatchObject({
      reason: "REMOTE_UNAVAILABLE",
      message: expect.stringContaining("silent"),
    });
  });

  test("rejects with the signal's reason when that has fired", async () => {
    await using silent = await listen(() => undefined);
    const stop = new AbortController();
    const asked = fetching()(silent.url, { signal: stop.signal });
    stop.abort(new Error("enough"));
    await expect(asked).rejects.toThrow("enough");
  });
});
