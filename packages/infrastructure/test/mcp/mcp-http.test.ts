import { expect, test } from "vitest";
import { HttpMcpServer } from "./http-mcp-server.ts";
import { failure, McpWorld, textIn } from "./mcp-fixtures.ts";

test.each([
  [{ get: 404, post: "json" }],
  [{ get: 405, post: "sse" }],
  [{ get: "stream", post: "json" }],
  [{ get: "stream", post: "sse" }],
  [{ legacy: true }],
] as const)("whatever its habits are, a server over HTTP is reached: %j", async (options) => {
  await using world = new McpWorld();
  await using http = await HttpMcpServer.start(options);
  for (const protocol of ["auto", "legacy"]) {
    const client = world.client(world.server({ name: "web", url: http.url, protocol }));
    expect((await client.listTools()).tools.map(({ name }) => name)).toEqual(["hello"]);
    expect(textIn(await client.callTool("hello", {}))).toBe("xxxxx");
    await client.close();
  }
});

test("the older transport is spoken where the document says so", async () => {
  await using world = new McpWorld();
  await using http = await HttpMcpServer.start({ legacy: true });
  const client = world.client(world.server({ name: "web", transport: "sse", url: http.url }));
  expect(textIn(await client.callTool("hello", {}))).toBe("xxxxx");
});

test.each([404, 410, 400] as const)(
  "a server that has forgotten the session (%d) is greeted anew, once for all calls, and each is made once",
  async (gone) => {
    await using world = new McpWorld();
    await using http = await HttpMcpServer.start({ gone });
    const client = world.client(world.server({ name: "web", url: http.url, protocol: "legacy" }));
    await client.callTool("hello", {});
    http.forgetSessions();
    const results = await Promise.all(Array.from({ length: 20 }, () => client.callTool("hello", {})));
    expect(results.map(textIn)).toEqual(Array(20).fill("xxxxx"));
    expect(http.initialized).toBe(2);
    expect(http.calls).toBe(21);
  },
);

test("headers, also from the agent's environment, and a token are sent with every request", async () => {
  await using world = new McpWorld();
  await using http = await HttpMcpServer.start({ authorization: "Bearer s3cret-token" });
  world.env["MY_TOKEN"] = "s3cret-token";
  world.env["TEAM_KEY"] = "key-of-the-team";
  const server = world.server({
    name: "web",
    url: http.url,
    headers: { "X-Plain": "yes" },
    headers_from: { "X-Team": "TEAM_KEY" },
    oauth: { token_env: "MY_TOKEN" },
  });
  await world.client(server).callTool("hello", {});
  expect(
    http.headers.every((sent) => sent["x-plain"] === "yes" && sent["x-team"] === "key-of-the-team"),
  ).toBe(true);
});

test("a client that has credentials gets itself a token of the issuer that it trusts", async () => {
  await using world = new McpWorld();
  await using http = await HttpMcpServer.start({ oauth: { id: "me", secret: "my-secret" } });
  world.env["CLIENT_SECRET"] = "my-secret";
  const document = (issuer: string) => ({
    name: "web",
    url: http.url,
    oauth: { client_id: "me", client_secret_env: "CLIENT_SECRET", issuer },
  });
  expect(textIn(await world.client(world.server(document(http.origin))).callTool("hello", {}))).toBe("xxxxx");
  const elsewhere = world.client(world.server(document("https://issuer.example.com")));
  await expect(elsewhere.callTool("hello", {})).rejects.toThrow("MCP server web");
});

test.each(["legacy", "auto"])("wrong credentials and missing ones are said (%s)", async (protocol) => {
  await using world = new McpWorld();
  await using http = await HttpMcpServer.start({ authorization: "Bearer right" });
  const document = { name: "web", url: http.url, protocol };
  const error = await failure(world.client(world.server(document)).callTool("hello", {}));
  expect(error).toMatchObject({ reason: "MCP_AUTHENTICATION" });
  const missing = world.server({ ...document, oauth: { token_env: "NOT_THERE" } });
  const said = await failure(world.client(missing).callTool("hello", {}));
  expect(said.message).toContain("the variable NOT_THERE is not set in the agent's environment");
});

test("a server that is not there is said, and one that comes back is reached again", async () => {
  await using world = new McpWorld();
  let http = await HttpMcpServer.start();
  const { url } = http;
  const client = world.client(world.server({ name: "web", url, protocol: "legacy" }));
  await client.callTool("hello", {});
  await http[Symbol.asyncDispose]();
  const error = await failure(client.callTool("hello", {}));
  expect(error).toMatchObject({ reason: "MCP_CONNECTION" });
  expect(error.message).toContain("it cannot be reached");
  http = await HttpMcpServer.start({}, Number(new URL(url).port));
  await using _closed = http;
  expect(textIn(await client.callTool("hello", {}))).toBe("xxxxx");
});

test.each(["json", "sse"] as const)("an answer that is too large is refused (%s)", async (post) => {
  await using world = new McpWorld();
  await using http = await HttpMcpServer.start({ post, bytes: 3_000_000 });
  const document = { name: "web", url: http.url, protocol: "legacy", timeouts: { call: 5 } };
  const small = world.client(world.server({ ...document, max_message_bytes: 1_000_000 }));
  expect(await failure(small.callTool("hello", {}))).toMatchObject({ name: "McpError" });
  expect(textIn(await world.client(world.server(document)).callTool("hello", {}))).toHaveLength(3_000_000);
});
