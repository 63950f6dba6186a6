import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { FakeCli } from "../testing/fake-cli.ts";
import { debugTransport } from "./debug-transport.ts";
import { findServerCommand, splitWords } from "./server-command.ts";
import { TransportSelector } from "./transport-selector.ts";

const dir = mkdtempSync(join(tmpdir(), "cli-connect-"));
afterAll(() => rmSync(dir, { recursive: true, force: true }));
const nowhere = `file://${dir}/main.mjs`;
const deps = { cwd: dir, home: dir, env: {}, execPath: "/node", selfUrl: nowhere };
const request = {
  server: undefined,
  token: undefined,
  transport: undefined,
  dataDir: join(dir, "data"),
  timeoutMs: undefined,
  onAgentLog: undefined,
};

test("a server means HTTP, nothing the socket, and a flag decides otherwise", () => {
  const selector = new TransportSelector(deps);
  expect(selector.select({ server: "http://x", transport: undefined })).toBe("http");
  expect(selector.select({ server: undefined, transport: undefined })).toBe("socket");
  expect(selector.select({ server: undefined, transport: "stdio" })).toBe("stdio");
  expect(() => selector.select({ server: "http://x", transport: "stdio" })).toThrow("--server names another");
});

test("flags go before the environment, and a local transport leaves its server aside", async () => {
  const env = { CLEVERAGENTS_SERVER_URL: "http://env", CLEVERAGENTS_DATA_DIR: "/env" };
  const connection = async (...flags: string[]) => {
    const fake = new FakeCli({ env });
    await fake.run("health", "check", ...flags);
    return fake.connections[0];
  };
  expect(await connection()).toMatchObject({ server: "http://env", dataDir: "/env" });
  expect(await connection("--server", "http://flag", "--data-dir", "/flag")).toMatchObject({
    server: "http://flag",
    dataDir: "/flag",
  });
  expect(await connection("--transport", "socket")).toMatchObject({ server: undefined, transport: "socket" });
});

test.each(["nonsense", "ftp://x", "http://user:secret@x"])(
  "%s is no server URL, and is not repeated with its secret",
  async (server) => {
    await expect(new TransportSelector(deps).connect({ ...request, server })).rejects.toMatchObject({
      code: "USAGE",
      exitCode: 2,
    });
    await expect(new TransportSelector(deps).connect({ ...request, server })).rejects.not.toThrow("secret");
  },
);

test("HTTP to the local agent needs one that serves it", async () => {
  const connecting = new TransportSelector(deps).connect({ ...request, transport: "http" });
  await expect(connecting).rejects.toMatchObject({ code: "NOT_CONNECTED", exitCode: 3 });
});

test("a server that is not installed is told at once, with what to do", async () => {
  const connecting = new TransportSelector(deps).connect(request);
  await expect(connecting).rejects.toMatchObject({ code: "SERVER_NOT_FOUND" });
});

test("a program that cannot be started is told at once", async () => {
  const env = { CLEVERAGENTS_AGENT_COMMAND: join(dir, "missing") };
  await expect(new TransportSelector({ ...deps, env }).connect(request)).rejects.toMatchObject({
    code: "SERVER_NOT_STARTED",
  });
});

test("the configured command is split like a shell does, and scripts run on this Node", () => {
  const script = join(dir, "my server.mjs");
  writeFileSync(script, "");
  const found = (command: string) =>
    findServerCommand({ ...deps, env: { CLEVERAGENTS_AGENT_COMMAND: command } });
  expect(found(script)).toEqual({ command: "/node", args: [script] });
  expect(found(`'${script}' --fast`)).toEqual({ command: "/node", args: [script, "--fast"] });
  expect(found("docker run -i 'an image'")).toEqual({ command: "docker", args: ["run", "-i", "an image"] });
  expect(splitWords(`a "b \\"c" 'd e'f ''`)).toEqual(["a", 'b "c', "d ef", ""]);
});

test("the server on the PATH is used when none is beside this package", () => {
  writeFileSync(join(dir, "cleveragents-server"), "", { mode: 0o755 });
  expect(findServerCommand({ ...deps, env: { PATH: `/nowhere:${dir}` } })).toEqual({
    command: join(dir, "cleveragents-server"),
    args: [],
  });
  expect(() => findServerCommand({ ...deps, env: { PATH: "/nowhere" } })).toThrow("not installed");
});

test("--debug shows messages without secrets", async () => {
  const lines: string[] = [];
  const transport = debugTransport(
    {
      request: async () => ({
        jsonrpc: "2.0",
        id: 1,
        result: { token: "t0k", note: "Bearer abc.def", next_page_token: "p2", text: "my-secret-value" },
      }),
      async *stream() {},
      async [Symbol.asyncDispose]() {},
    },
    (line) => lines.push(line),
    ["my-secret-value", ""],
  );
  await transport.request(
    { jsonrpc: "2.0", id: 1, method: "x", params: { password: "p", page_token: "p1" } },
    { serviceParameters: { "A2A-Version": "1.0" } },
  );
  expect(lines).toEqual([
    '--> {"jsonrpc":"2.0","id":1,"method":"x","params":{"password":"[redacted]","page_token":"p1"},"a2a":{"A2A-Version":"1.0"}}',
    '<-- {"jsonrpc":"2.0","id":1,"result":{"token":"[redacted]","note":"Bearer [redacted]","next_page_token":"p2","text":"[redacted]"}}',
  ]);
});
