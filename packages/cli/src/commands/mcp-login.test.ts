import { get } from "node:http";
import { expect, test } from "vitest";
import { listenOnLoopback } from "../connect/loopback.ts";
import { FakeCli, type FakeCliOptions } from "../testing/fake-cli.ts";

const LOGIN = "_cleveragents/registry/mcp/login";
const AUTHORIZE = "_cleveragents/registry/mcp/authorize";
const cli = (browser: FakeCliOptions["browser"], isTTY = true) =>
  new FakeCli({
    isTTY,
    ...(browser === undefined ? {} : { browser }),
    calls: {
      [LOGIN]: {
        name: "local/docs",
        state: "s1",
        authorization_url: "https://login.example/?x=1",
        expires_at: "",
      },
      [AUTHORIZE]: { name: "local/docs", authorized: true },
      "_cleveragents/registry/mcp/refresh": {
        servers: [{ name: "local/docs", status: "refreshed", tools: 2 }],
      },
    },
  });

test("the address is shown, and what the browser brings back goes on to the agent", async () => {
  const fake = cli((state) => ({ state, code: "c1", iss: "https://login.example" }));
  expect(await fake.run("mcp", "login", "docs", "--port", "8123", "-o", "name")).toBe(0);
  expect(fake.paramsOf(LOGIN)).toEqual({ name: "docs", redirect_uri: "http://127.0.0.1:8123/callback" });
  expect(fake.stderr).toContain("https://login.example/?x=1");
  expect(fake.paramsOf(AUTHORIZE)).toEqual({ state: "s1", code: "c1", iss: "https://login.example" });
  expect(fake.stdout).toBe("local/docs\n");
  expect(fake.stderr).toContain("2 tools can be called now");
  expect(fake.loopbackClosed).toBe(true);
});

test("a login that the user or the server refuses is said, and nothing is sent", async () => {
  const fake = cli((state) => ({ state, error: "access_denied", error_description: "not today" }));
  expect(await fake.run("mcp", "login", "docs")).toBe(4);
  expect(fake.stderr).toContain("the login was refused: access_denied not today");
  expect(fake.paramsOf(AUTHORIZE)).toBeUndefined();
  expect(fake.loopbackClosed).toBe(true);
});

test("without anybody there it says what machines do instead, and nothing is begun", async () => {
  for (const fake of [cli(undefined, false)]) {
    expect(await fake.run("mcp", "login", "docs")).toBe(4);
    expect(fake.stderr).toContain("nobody is here who could log in");
    expect(fake.requests).toEqual([]);
  }
  const fake = cli(undefined);
  expect(await fake.run("mcp", "login", "docs", "--no-input")).toBe(4);
});

test("only a browser that comes with the right state is heard, on this machine's own address", async () => {
  const loopback = await listenOnLoopback(0);
  const visit = (query: string) =>
    new Promise<number | undefined>((resolve) =>
      get(`${loopback.url}${query}`, (response) => resolve(response.resume().statusCode)),
    );
  expect(loopback.url).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/callback$/);
  expect(await visit("?code=early")).toBe(404);
  const returned = loopback.returned("right");
  expect(await visit("?code=x&state=wrong")).toBe(404);
  expect(await visit("?code=y&state=right")).toBe(200);
  expect((await returned).get("code")).toBe("y");
  await loopback.close();
});
