import { describe, expect, test } from "vitest";
import { FakeCli, type FakeCliOptions } from "../testing/fake-cli.ts";
import { goldenText } from "../testing/golden-text.ts";
import { CONFIG, kept, ourServer, SERVER } from "../testing/our-server.ts";

const SIGNED_IN = kept({ kind: "token", token: "good" });

async function ran(options: FakeCliOptions, ...argv: string[]) {
  const cli = new FakeCli(options);
  return { cli, code: await cli.run(...argv) };
}

test.each([
  ["server-connect", `server connect ${SERVER}`, ourServer({ files: SIGNED_IN })],
  ["server-connect-2", `server connect ${SERVER}`, ourServer()],
  [
    "server-status",
    "server status",
    { localAgent: { pid: 4711, version: "1.2.3", url: "http://127.0.0.1:8000" } },
  ],
  ["server-status-2", "server status", {}],
  ["server-status-3", `server status --server ${SERVER}`, ourServer({ files: SIGNED_IN })],
  ["server-status-4", `server status --server ${SERVER}`, ourServer()],
  ["server-status-5", "server status --server https://gone.example", ourServer()],
  ["server-disconnect", "server disconnect", { files: { [CONFIG]: `[server]\nurl = "${SERVER}"\n` } }],
  ["serve", "serve --port 9000 --no-auth", {}],
])("%s shows what is written down of it", async (file, argv, more) => {
  await expect(await goldenText({ argv, more })).toMatchFileSnapshot(`golden/${file}.txt`);
});

describe("agents server connect", () => {
  test("writes down whom to speak to, once somebody answers there", async () => {
    const { cli, code } = await ran(
      ourServer({ files: SIGNED_IN }),
      "server",
      "connect",
      SERVER,
      "-o",
      "json",
    );
    expect([code, JSON.parse(cli.stdout)]).toMatchObject([0, { server: SERVER, access: "accepted" }]);
    expect([...cli.written]).toEqual([[CONFIG, `[server]\nurl = "${SERVER}"\n`]]);
    const gone = await ran(ourServer(), "server", "connect", "https://gone.example");
    expect([gone.code, gone.cli.written.size]).toEqual([3, 0]);
    const nonsense = await ran(ourServer(), "server", "connect", "nonsense");
    expect([nonsense.code, nonsense.cli.written.size]).toEqual([2, 0]);
  });

  test("without a sign-in names the command for it", async () => {
    const { cli } = await ran(ourServer(), "server", "connect", SERVER);
    expect(cli.stderr).toBe(`Sign in: agents login ${SERVER}\n`);
  });

  test("that a variable stands over is told", async () => {
    const env = { CLEVERAGENTS_SERVER_URL: "https://other.example" };
    const { cli } = await ran(ourServer({ env, files: SIGNED_IN }), "server", "connect", SERVER);
    expect(cli.stderr).toContain("unset CLEVERAGENTS_SERVER_URL");
  });
});

describe("agents server status", () => {
  const status = async (options: FakeCliOptions, ...more: string[]) => {
    const { cli, code } = await ran(options, "server", "status", "-o", "json", ...more);
    return { code, cli, json: JSON.parse(cli.stdout) as Record<string, unknown> };
  };

  test("says who is spoken to, as whom, and where that is from", async () => {
    const files = { ...SIGNED_IN, [CONFIG]: `[server]\nurl = "${SERVER}"\n` };
    expect(await status(ourServer({ files }))).toMatchObject({
      code: 0,
      json: {
        mode: "server",
        server: SERVER,
        origin: CONFIG,
        reachable: true,
        access: "accepted",
        health: "healthy",
      },
    });
  });

  test("starts no agent, and warns of one of another version", async () => {
    const { code, cli, json } = await status({ localAgent: { pid: 1, version: "1.1.0", url: undefined } });
    expect([code, cli.connections, json]).toMatchObject([
      0,
      [],
      { mode: "local", running: { version: "1.1.0" } },
    ]);
    expect(cli.stderr).toContain("the agent is version 1.1.0, this command 1.2.3");
  });

  test("ends with 4 where nobody is let in, and with 3 where nobody answers", async () => {
    expect(await status(ourServer(), "--server", SERVER)).toMatchObject({
      code: 4,
      json: { access: "missing" },
    });
    const wrong = ourServer({ files: kept({ kind: "token", token: "old" }) });
    expect(await status(wrong, "--server", SERVER)).toMatchObject({ code: 4, json: { access: "refused" } });
    expect(await status(ourServer(), "--server", "https://gone.example")).toMatchObject({
      code: 3,
      json: { reachable: false, access: "unreachable" },
    });
  });

  test("warns of a server of another version", async () => {
    const health = {
      status: "healthy",
      version: "1.0.0",
      service: "cleveragents",
      timestamp: "t",
      checks: [],
    };
    const { cli } = await status(ourServer({ health, files: SIGNED_IN }), "--server", SERVER);
    expect(cli.stderr).toContain("the agent is version 1.0.0, this command 1.2.3");
  });
});

describe("agents server disconnect", () => {
  const files = { [CONFIG]: `# mine\n[server]\nurl = "${SERVER}"\n` };

  test("takes the server out again, and leaves the rest as it is", async () => {
    const { cli, code } = await ran({ files }, "server", "disconnect");
    expect([code, cli.connections, cli.written.get(CONFIG)]).toEqual([0, [], "# mine\n[server]\n"]);
    expect((await ran({}, "server", "disconnect")).cli.written.size).toBe(0);
  });

  test("says what still names a server", async () => {
    const env = { CLEVERAGENTS_SERVER_URL: "https://other.example" };
    const { cli } = await ran({ files, env }, "server", "disconnect");
    expect(cli.stdout).toContain("CLEVERAGENTS_SERVER_URL says so");
  });
});

test("agents serve runs the server on the data that other commands use, with its flags", async () => {
  const { cli, code } = await ran({}, "serve", "--host", "0.0.0.0", "--data-dir", "/data", "--demo");
  expect([code, cli.served]).toEqual([0, [["start", "--data-dir", "/data", "--host", "0.0.0.0", "--demo"]]]);
});
