import { describe, expect, test } from "vitest";
import { FakeCli, type FakeCliOptions, Refusal } from "../testing/fake-cli.ts";
import { goldenText } from "../testing/golden-text.ts";
import { CREDENTIALS, kept, ourServer, SERVER } from "../testing/our-server.ts";

async function ran(options: FakeCliOptions, ...argv: string[]) {
  const cli = new FakeCli(options);
  return { cli, code: await cli.run(...argv) };
}
const stored = (cli: FakeCli) =>
  (JSON.parse(cli.written.get(CREDENTIALS) ?? "{}") as { credentials?: object }).credentials;

describe("agents login", () => {
  test("shows what is written down of it", async () => {
    const more = { ...ourServer(), stdin: "good\n" };
    const argv = `login ${SERVER} --token-file -`;
    await expect(await goldenText({ argv, more })).toMatchFileSnapshot("golden/login.txt");
  });

  test("tries a token before it is kept, for this server alone, and never shows it", async () => {
    const { cli, code } = await ran(
      { ...ourServer(), stdin: "good\n" },
      "login",
      SERVER,
      "--token-file",
      "-",
    );
    expect(code).toBe(0);
    expect(stored(cli)).toEqual({ [`${SERVER}/a2a`]: { kind: "token", token: "good" } });
    expect(cli.connections.map(({ token }) => token)).toEqual([undefined, "good"]);
    expect(cli.stdout + cli.stderr).not.toContain("good");
    expect([...cli.written.keys()]).toEqual([CREDENTIALS]);
  });

  test("asks for one on a terminal, which does not show it", async () => {
    const { cli, code } = await ran({ ...ourServer(), stdin: "good\n", isTTY: true }, "login", SERVER);
    expect([code, stored(cli)]).toEqual([0, { [`${SERVER}/a2a`]: { kind: "token", token: "good" } }]);
    expect(cli.stderr).toContain("Token or API key: ");
  });

  test("asks nobody where nobody is, and says how else", async () => {
    const { cli, code } = await ran(ourServer(), "login", SERVER);
    expect([code, cli.stdinRead, cli.written.size]).toEqual([2, false, 0]);
    expect(cli.stderr).toContain("--token-file FILE");
  });

  test("keeps nothing that the server does not know, and says so with 4", async () => {
    const { cli, code } = await ran({ ...ourServer(), stdin: "bad" }, "login", SERVER, "--token-file", "-");
    expect([code, cli.written.size]).toEqual([4, 0]);
    expect(cli.stderr).toContain(`${SERVER} does not know this token or key`);
    expect(cli.stderr).not.toContain("bad\n");
  });

  test("keeps a key with few rights", async () => {
    const health = new Refusal(-32003, "no", { reason: "PERMISSION_DENIED", details: [] });
    const options = { ...ourServer({ health }), stdin: "good" };
    const { cli, code } = await ran(options, "login", SERVER, "--token-file", "-", "-o", "json");
    expect([code, JSON.parse(cli.stdout)]).toMatchObject([0, { access: "limited", credential: "token" }]);
  });

  test("is for no other agent than ours, and for nobody who is not there", async () => {
    const other = ourServer({ card: { capabilities: {} } });
    const { cli, code } = await ran(other, "login", SERVER, "--token-file", "-");
    expect([code, cli.stdinRead, cli.written.size]).toEqual([3, false, 0]);
    expect(cli.stderr).toContain("agents a2a card get");
    const nowhere = await ran(other, "login", "https://gone.example");
    expect(nowhere.code).toBe(3);
    expect(nowhere.cli.stderr).toContain("ECONNREFUSED");
  });

  test("is not written into a file that others may read", async () => {
    const options = { ...ourServer({ files: kept({}) }), fileMode: 0o644, stdin: "good" };
    const { cli, code } = await ran(options, "login", SERVER, "--token-file", "-");
    expect([code, cli.stdinRead]).toEqual([4, false]);
    expect(cli.stderr).toContain(`chmod 600 ${CREDENTIALS}`);
  });
});

describe("a sign-in that is kept", () => {
  const files = kept({ kind: "token", token: "good" });
  const health = ["health", "check"];

  test("is used for its server, whichever way that is written, and for no other", async () => {
    for (const url of [SERVER, `${SERVER}/`, `${SERVER}/a2a`]) {
      const { cli } = await ran(ourServer({ files }), ...health, "--server", url);
      expect(cli.connections.map(({ token }) => token)).toEqual(["good"]);
    }
    const { cli } = await ran(ourServer({ files }), ...health, "--server", "https://other.example");
    expect(cli.connections.map(({ token }) => token)).toEqual([undefined]);
    expect((await ran(ourServer({ files }), ...health)).cli.connections[0]?.token).toBe(undefined);
  });

  test("gives way to a variable, which belongs to the server that stands beside it", async () => {
    const env = { CLEVERAGENTS_SERVER_URL: SERVER, CLEVERAGENTS_SERVER_TOKEN: "of the variable" };
    const tokens = async (...more: string[]) =>
      (await ran(ourServer({ files, env }), ...health, ...more)).cli.connections.map(({ token }) => token);
    expect(await tokens()).toEqual(["of the variable"]);
    expect(await tokens("--server", "https://other.example")).toEqual([undefined]);
  });

  test("that has expired, and that nothing renews, is said with what to do", async () => {
    const expired = {
      kind: "oauth",
      flow: "device",
      access_token: "old",
      expires_at: Date.parse("2026-07-01T11:00:00Z"),
      token_endpoint: "https://login.example/token",
      client_id: "agents-cli",
    };
    const { cli, code } = await ran(ourServer({ files: kept(expired) }), ...health, "--server", SERVER);
    expect([code, cli.connections]).toEqual([4, []]);
    expect(cli.stderr).toBe(
      `error: the sign-in at ${SERVER}/a2a has expired\nhint: sign in again: agents login ${SERVER}\n`,
    );
  });

  test("that is about to expire is renewed, and kept so", async () => {
    const old = {
      kind: "oauth",
      flow: "device",
      access_token: "old",
      refresh_token: "r1",
      expires_at: Date.parse("2026-07-01T12:00:30Z"),
      token_endpoint: "https://login.example/token",
      client_id: "agents-cli",
    };
    let asked = "";
    const server = ourServer({ files: kept(old) });
    const pages = {
      ...server.pages,
      "https://login.example/token": async (request: Request) => {
        asked = await request.text();
        return Response.json({ access_token: "good", token_type: "Bearer", expires_in: 300 });
      },
    };
    const { cli } = await ran({ ...server, pages }, ...health, "--server", SERVER);
    expect(Object.fromEntries(new URLSearchParams(asked))).toEqual({
      grant_type: "refresh_token",
      refresh_token: "r1",
      client_id: "agents-cli",
    });
    expect(cli.connections.map(({ token }) => token)).toEqual(["good"]);
    expect(stored(cli)).toMatchObject({
      [`${SERVER}/a2a`]: { access_token: "good", refresh_token: "r1", expires_at: expect.any(Number) },
    });
  });

  test("agents logout forgets it, and only it", async () => {
    const both = JSON.stringify({
      credentials: {
        [`${SERVER}/a2a`]: { kind: "token", token: "good" },
        "https://other.example/a2a": { kind: "token", token: "theirs" },
      },
    });
    const options = ourServer({ files: { [CREDENTIALS]: both } });
    const { cli, code } = await ran(options, "logout", SERVER);
    expect([code, cli.stdout]).toEqual([0, `Signed out of ${SERVER}\n`]);
    expect(Object.keys(stored(cli) ?? {})).toEqual(["https://other.example/a2a"]);
    const all = await ran(options, "logout", "--all", "-o", "name");
    expect([all.cli.stdout, stored(all.cli)]).toEqual([`${SERVER}\nhttps://other.example\n`, {}]);
    const none = await ran(ourServer(), "logout", SERVER);
    expect([none.code, none.cli.written.size]).toEqual([0, 0]);
    expect((await ran(ourServer(), "logout")).code).toBe(2);
    await expect(await goldenText({ argv: `logout ${SERVER}`, more: options })).toMatchFileSnapshot(
      "golden/logout.txt",
    );
  });
});
