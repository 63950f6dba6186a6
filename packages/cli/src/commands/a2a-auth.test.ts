import { describe, expect, test } from "vitest";
import type { FakeCliOptions } from "../testing/fake-cli.ts";
import { FakeCli } from "../testing/fake-cli.ts";
import { Issuer, oauthCard, openIdCard, refuses, TOKEN, TOKEN_URL } from "../testing/issuer.ts";
import { CREDENTIALS, kept, ourServer, SERVER } from "../testing/our-server.ts";
import { ORIGIN, ScriptedAgent, task } from "../testing/scripted-agent.ts";

const PLACE = `${ORIGIN}/.well-known/agent-card.json`;
const ID = ["--client-id", "agents-cli"];

async function login(card: object, issuer: Issuer, argv: readonly string[], options: FakeCliOptions = {}) {
  const agent = new ScriptedAgent({ card });
  return agent.run(["auth", "login", ...argv], { pages: issuer.pages, ...options });
}
const stored = (cli: FakeCli) =>
  (JSON.parse(cli.written.get(CREDENTIALS) ?? "{}") as { credentials?: Record<string, unknown> }).credentials;

describe("agents a2a auth login", () => {
  test("by device tells where to go and which code to enter, asks until that is done, and keeps the token for this card", async () => {
    const issuer = new Issuer({ answers: [refuses("authorization_pending"), TOKEN] });
    const { cli, code, stderr, json } = await login(oauthCard(), issuer, [...ID, "-o", "json"]);
    expect([code, json()]).toMatchObject([
      0,
      { agent: PLACE, flow: "device", expires_at: "2026-07-01T13:00:00.000Z" },
    ]);
    expect(stderr).toContain(
      "Open https://login.example/activate in a browser, and enter the code ABCD-EFGH",
    );
    expect(issuer.asked).toMatchObject([
      { client_id: "agents-cli", scope: "agent:use" },
      { grant_type: "urn:ietf:params:oauth:grant-type:device_code", device_code: "device-secret" },
      { grant_type: "urn:ietf:params:oauth:grant-type:device_code", client_id: "agents-cli" },
    ]);
    expect(stored(cli)).toEqual({
      [PLACE]: {
        kind: "oauth",
        flow: "device",
        access_token: "t-1",
        refresh_token: "r-1",
        expires_at: Date.parse("2026-07-01T13:00:00Z"),
        token_endpoint: TOKEN_URL,
        client_id: "agents-cli",
      },
    });
    expect(cli.stdout + cli.stderr).not.toMatch(/t-1|r-1|device-secret/);
  });

  test("by client credentials needs nobody, and its secret comes from a file, stdin or a variable", async () => {
    const argv = ["--client-id", "ci", "--client-secret-file", "-"];
    const issuer = new Issuer();
    const { cli, code } = await login(oauthCard(["clientCredentials"]), issuer, argv, { stdin: "s3cret\n" });
    expect([code, cli.stdinRead]).toEqual([0, true]);
    expect(issuer.asked).toEqual([{ grant_type: "client_credentials" }]);
    expect(issuer.credentials).toEqual([`Basic ${btoa("ci:s3cret")}`]);
    expect(cli.stdout + cli.stderr + cli.written.get(CREDENTIALS)).not.toContain("s3cret");
    const env = { A2ACLI_AGENT_CARD: ORIGIN, A2ACLI_CLIENT_ID: "ci", A2ACLI_CLIENT_SECRET: "fromenv" };
    const again = new Issuer();
    expect((await login(oauthCard(["deviceCode", "clientCredentials"]), again, [], { env })).code).toBe(0);
    expect(again.credentials).toEqual([`Basic ${btoa("ci:fromenv")}`]);
  });

  test("by authorization code takes what the browser brings, with PKCE", async () => {
    const issuer = new Issuer();
    const browser = (state: string) => ({ state, code: "c-1" });
    const { code, stderr, cli } = await login(oauthCard(["authorizationCode"]), issuer, ID, { browser });
    expect(code).toBe(0);
    const opened = new URL(/Open (\S+) in a browser/.exec(stderr)?.[1] ?? "");
    expect(Object.fromEntries(opened.searchParams)).toMatchObject({
      client_id: "agents-cli",
      response_type: "code",
      code_challenge_method: "S256",
      redirect_uri: "http://127.0.0.1:4711/callback",
    });
    expect(issuer.asked).toMatchObject([
      { grant_type: "authorization_code", code: "c-1", code_verifier: expect.stringMatching(/.{43,}/) },
    ]);
    expect(cli.loopbackClosed).toBe(true);
  });

  test("finds what OpenID Connect does not say in the card in the document that it names", async () => {
    const issuer = new Issuer();
    const { code, json } = await login(openIdCard(), issuer, [...ID, "-o", "json"]);
    expect([code, json()]).toMatchObject([0, { flow: "device" }]);
    const chosen = await login(openIdCard(), new Issuer(), [...ID, "--flow", "client-credentials"], {
      env: { A2ACLI_AGENT_CARD: ORIGIN, A2ACLI_CLIENT_SECRET: "s" },
    });
    expect(chosen.code).toBe(0);
  });

  test.each([
    ["a refusal", refuses("access_denied"), 4, "you have said no"],
    ["a code that ran out", refuses("expired_token"), 4, "before the code ran out"],
    ["an unknown client", refuses("invalid_client"), 4, "--client-id"],
    ["a token of another type", { ...TOKEN, token_type: "mac" }, 4, "that is no token"],
    ["what is no token", { hello: 1 }, 4, "that is no token"],
  ])("says what is to be done about %s, and keeps nothing", async (_, answer, code, words) => {
    const ran = await login(oauthCard(), new Issuer({ answers: [answer] }), [...ID, "-o", "json"]);
    expect([ran.code, ran.cli.written.size]).toEqual([code, 0]);
    expect(ran.json()).toMatchObject({ error: { code: "A2ACLI_ERR_AUTH_FAILED" } });
    expect(ran.stderr).toContain(words);
  });

  test("sends no secret in the open, and asks for nothing that is not offered", async () => {
    const open = {
      flows: { deviceCode: { deviceAuthorizationUrl: "http://x.example/d", tokenUrl: "http://x.example/t" } },
    };
    const card = { securitySchemes: { oauth: { oauth2SecurityScheme: open } } };
    const issuer = new Issuer();
    const plain = await login(card, issuer, ID);
    expect([plain.code, plain.stderr]).toEqual([4, expect.stringContaining("no https address")]);
    const other = await login(oauthCard(), issuer, [...ID, "--flow", "client-credentials"]);
    expect([other.code, other.stderr]).toEqual([2, expect.stringContaining("it offers device")]);
    const none = await login({}, issuer, ID);
    expect([none.code, none.stderr]).toEqual([
      2,
      expect.stringContaining("neither OAuth nor OpenID Connect"),
    ]);
    const nobody = await login(oauthCard(), issuer, []);
    expect([nobody.code, nobody.stderr]).toEqual([2, expect.stringContaining("--client-id is missing")]);
    expect(issuer.asked).toEqual([]);
  });

  test("ends with Ctrl-C while it waits, with nothing kept", async () => {
    const issuer = new Issuer({ interval: 3600 });
    const cli: FakeCli = new FakeCli({
      pages: {
        ...issuer.pages,
        [PLACE]: () => Response.json({ name: "Scripted", ...oauthCard() }),
        "https://login.example/device": async (request) => {
          setTimeout(() => cli.interrupt(), 20);
          return (issuer.pages["https://login.example/device"] as (request: Request) => Promise<Response>)(
            request,
          );
        },
      },
    });
    expect([await cli.run("a2a", "auth", "login", ORIGIN, ...ID), cli.written.size]).toEqual([130, 0]);
  });

  test("is what an agent that asks for a token is told to be used for", async () => {
    const agent = new ScriptedAgent({ card: oauthCard() });
    expect((await agent.run(["send", "hi"])).stderr).toContain("agents a2a auth login https://agent.example");
  });
});

describe("a sign-in at an agent", () => {
  const signedIn = (more: object = {}) =>
    kept(
      {
        kind: "oauth",
        flow: "device",
        access_token: "at-1",
        token_endpoint: TOKEN_URL,
        client_id: "c",
        ...more,
      },
      PLACE,
    );
  const answers = { SendMessage: () => ({ task: task("COMPLETED") }) };

  test("is sent by later commands, unless a flag says another", async () => {
    const agent = new ScriptedAgent({ card: oauthCard(), answers });
    const sent = async (...flags: string[]) => {
      await agent.run(["send", "hi", ...flags], { files: signedIn() });
      return agent.seen.at(-1)?.headers.get("authorization");
    };
    expect(await sent()).toBe("Bearer at-1");
    expect(await sent("--bearer", "mine")).toBe("Bearer mine");
    const { stderr } = await agent.run(["send", "hi", "--debug"], { files: signedIn() });
    expect(stderr).not.toContain("at-1");
  });

  test("is not sent where the card takes no such token", async () => {
    const agent = new ScriptedAgent({ answers });
    await agent.run(["send", "hi"], { files: signedIn() });
    expect(agent.seen.at(-1)?.headers.get("authorization")).toBe(null);
  });

  test("is renewed before it ends, or said to have ended with what to do", async () => {
    const agent = new ScriptedAgent({ card: oauthCard(), answers });
    const ends = { expires_at: Date.parse("2026-07-01T11:59:00Z") };
    const issuer = new Issuer({ answers: [{ ...TOKEN, access_token: "t-2" }] });
    const renewed = await agent.run(["send", "hi"], {
      files: signedIn({ ...ends, refresh_token: "r" }),
      pages: issuer.pages,
    });
    expect([renewed.code, agent.seen.at(-1)?.headers.get("authorization")]).toEqual([0, "Bearer t-2"]);
    const ended = await agent.run(["send", "hi", "-o", "json"], { files: signedIn(ends) });
    expect([ended.code, ended.json()]).toMatchObject([
      4,
      {
        error: {
          code: "A2ACLI_ERR_AUTH_FAILED",
          hint: "sign in again: agents a2a auth login https://agent.example",
        },
      },
    ]);
  });

  test("is forgotten by agents a2a auth logout", async () => {
    const agent = new ScriptedAgent({ card: oauthCard() });
    const { cli, code, json } = await agent.run(["auth", "logout", "-o", "json"], { files: signedIn() });
    expect([code, json(), stored(cli)]).toEqual([0, { agent: PLACE, forgotten: true }, {}]);
  });
});

test("agents login signs in at a server of ours in the same way", async () => {
  const issuer = new Issuer({ answers: [{ ...TOKEN, access_token: "good" }] });
  const server = ourServer({ card: openIdCard() });
  const cli = new FakeCli({ ...server, pages: { ...server.pages, ...issuer.pages } });
  expect(await cli.run("login", SERVER, "--flow", "device", ...ID)).toBe(0);
  expect(stored(cli)).toMatchObject({ [`${SERVER}/a2a`]: { kind: "oauth", access_token: "good" } });
  expect(cli.connections.at(-1)?.token).toBe("good");
});
