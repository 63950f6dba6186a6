import { generateKeyPairSync, sign as signBytes } from "node:crypto";
import {
  type AgentCard,
  buildAgentCard,
  canonicalAgentCard,
  toBlendedAgentCard,
  toLegacyAgentCard,
} from "@cleveragents/protocol";
import { describe, expect, test } from "vitest";
import { FakeCli, type FakeCliOptions } from "../testing/fake-cli.ts";

const CARD = buildAgentCard({
  version: "1.2.3",
  baseUrl: "https://agents.example",
  schemes: ["bearer", "apiKey"],
  retentionSeconds: 1,
  provider: { organization: "Example", url: "https://example.com" },
});
const AT = "https://agents.example/.well-known/agent-card.json";
const keys = generateKeyPairSync("ec", { namedCurve: "P-256" });
const JWK = keys.publicKey.export({ format: "jwk" });

const serving = (card: unknown, more: FakeCliOptions["pages"] = {}): FakeCliOptions => ({
  pages: { [AT]: () => Response.json(card), ...more },
});
async function get(options: FakeCliOptions, ...argv: string[]) {
  const cli = new FakeCli(options);
  const code = await cli.run("a2a", "card", "get", ...argv);
  return { code, cli, json: () => JSON.parse(cli.stdout) as Record<string, unknown> };
}
const codeOf = (run: Awaited<ReturnType<typeof get>>) => [
  run.code,
  (run.json()["error"] as Record<string, unknown>)["code"],
];

/** A signature as other implementations make it, with node:crypto alone. */
function signed(card: AgentCard, header: object = {}): AgentCard {
  const encode = (text: string) => Buffer.from(text).toString("base64url");
  const protectedHeader = encode(JSON.stringify({ alg: "ES256", kid: "k1", ...header }));
  const input = Buffer.from(`${protectedHeader}.${encode(canonicalAgentCard(card))}`);
  const signature = signBytes("sha256", input, { key: keys.privateKey, dsaEncoding: "ieee-p1363" });
  return {
    ...card,
    signatures: [
      { protected: protectedHeader, signature: signature.toString("base64url"), header: undefined },
    ],
  };
}

describe("agents a2a card get prints", () => {
  test("the card of any agent as it came, in JSON", async () => {
    for (const card of [CARD, toLegacyAgentCard(CARD), { name: "odd", extra: [1] }]) {
      const { code, json, cli } = await get(serving(card), "https://agents.example", "-o", "json");
      expect([code, json(), cli.stderr]).toEqual([0, JSON.parse(JSON.stringify(card)), ""]);
    }
  });

  test("for people who it is, where it is, what it can and what it asks for, of either version", async () => {
    const { cli } = await get(serving(CARD), "agents.example");
    for (const line of [
      /^Name: +CleverAgents$/m,
      /^Provider: +Example, https:\/\/example\.com$/m,
      /^Interface: +JSONRPC 1\.0 https:\/\/agents\.example\/a2a$/m,
      /^Capabilities: +streaming, push notifications, extended card$/m,
      /^Security: +apiKey: API key in header X-API-Key$/m,
      /^Credential: +needed$/m,
      /^Signature: +none$/m,
      /^Skill: +plan-lifecycle: /m,
    ])
      expect(cli.stdout).toMatch(line);
    const legacy = await get(serving(toLegacyAgentCard(CARD)), "https://agents.example");
    expect(legacy.cli.stdout).toMatch(/^Interface: +JSONRPC 0\.3\.0 https:\/\/agents\.example\/a2a$/m);
    expect(legacy.cli.stdout).toMatch(/^Security: +bearer: HTTP Bearer$/m);
  });

  test("the version that is asked for, and one of a file", async () => {
    const versions: (string | null)[] = [];
    const options = {
      pages: {
        [AT]: (request: Request) => {
          versions.push(request.headers.get("a2a-version"));
          return Response.json(CARD);
        },
      },
      files: { "./card.json": JSON.stringify(CARD) },
      env: { A2ACLI_AGENT_CARD: "agents.example" },
    };
    await get(options);
    await get(options, "--a2a-version", "0.3");
    expect(versions).toEqual(["1.0", "0.3"]);
    expect((await get(options, "./card.json", "-o", "name")).cli.stdout).toBe("CleverAgents\n");
  });

  test("nothing of a terminal's control sequences that a card may have", async () => {
    const { cli } = await get(serving({ ...CARD, name: "a\u001b[31mb" }), "https://agents.example");
    expect(cli.stdout).not.toContain("\u001b");
  });
});

describe("agents a2a card get --validate", () => {
  test("says of which versions a card is, and ends with 1 and what is wrong otherwise", async () => {
    const good = await get(serving(toBlendedAgentCard(CARD)), "https://agents.example", "--validate");
    expect(good.code).toBe(0);
    expect(good.cli.stdout).toMatch(/^Valid: +A2A 1\.0, A2A 0\.3$/m);
    const bad = await get(
      serving({ ...CARD, skills: [] }),
      "https://agents.example",
      "--validate",
      "-o",
      "json",
    );
    expect(codeOf(bad)).toEqual([1, "A2ACLI_ERR_CARD_INVALID"]);
    expect(bad.cli.stderr).toContain("  A2A 1.0: skills: must not be empty\n");
    const none = await get(serving({ name: "x" }), "https://agents.example", "--validate", "-o", "json");
    expect(codeOf(none)).toEqual([1, "A2ACLI_ERR_CARD_INVALID"]);
  });

  test("verifies a signature with the key of a file, and takes no other card for it", async () => {
    const card = signed(CARD);
    const files = { "key.jwk": JSON.stringify(JWK), "other.pem": otherKey(), "no.key": "secret" };
    const check = (given: unknown, file: string) =>
      get({ ...serving(given), files }, "https://agents.example", "--key", file, "-o", "json");
    const good = await check(card, "key.jwk");
    expect([good.code, good.cli.stderr]).toEqual([
      0,
      "valid: A2A 1.0\nsignature: verified, ES256 by k1 (a key in key.jwk)\n",
    ]);
    const invalid = [1, "A2ACLI_ERR_CARD_INVALID"];
    expect(codeOf(await check({ ...card, name: "Another" }, "key.jwk"))).toEqual(invalid);
    expect(codeOf(await check(card, "other.pem"))).toEqual(invalid);
    expect(codeOf(await check(CARD, "key.jwk"))).toEqual(invalid);
    const noKey = await check(card, "no.key");
    expect(codeOf(noKey)).toEqual([2, "A2ACLI_ERR_USAGE"]);
    expect(noKey.cli.stderr).not.toContain("secret");
    expect(codeOf(await check(card, "gone"))).toEqual([2, "A2ACLI_ERR_USAGE"]);
  });

  test("verifies it with the key that it names, where that is at an address to be believed", async () => {
    const jwks = () => Response.json({ keys: [{ ...JWK, kid: "k1", alg: "ES256" }] });
    const check = (jku: string) =>
      get(serving(signed(CARD, { jku }), { [jku]: jwks }), "https://agents.example", "--validate");
    const good = await check("https://keys.example/jwks");
    expect(good.cli.stdout).toMatch(/^Signature: +verified, ES256 by k1 \(a key of keys\.example\)$/m);
    for (const run of [
      await check("http://10.0.0.1/jwks"),
      await get(serving(signed(CARD)), "https://agents.example", "--validate"),
    ]) {
      expect(run.code).toBe(0);
      expect(run.cli.stdout).toMatch(/^Signature: +not checked: no key could be had/m);
      expect(run.cli.stderr).toContain(
        "warning: the card is signed, and nothing says that the signature holds",
      );
    }
  });
});

describe("agents a2a card get --extended", () => {
  const extended = { ...CARD, name: "extended" };
  const rpc = (seen: Request[]) => async (request: Request) => {
    seen.push(request);
    const { id, method } = (await request.clone().json()) as { id: number; method: string };
    return Response.json({ jsonrpc: "2.0", id, result: { ...extended, version: method } });
  };

  test("asks the first interface that is spoken, with the credential that the card declares", async () => {
    const seen: Request[] = [];
    const pages = { "https://agents.example/a2a": rpc(seen) };
    const run = await get(
      serving(CARD, pages),
      "agents.example",
      "--extended",
      "--bearer",
      "t",
      "-o",
      "json",
    );
    expect([run.code, run.json()["version"]]).toEqual([0, "GetExtendedAgentCard"]);
    const legacy = toLegacyAgentCard(CARD);
    const old = await get(
      { ...serving(legacy, pages), env: { A2ACLI_API_KEY: "k" } },
      "agents.example",
      "--extended",
      "-o",
      "json",
    );
    expect(old.json()["version"]).toBe("agent/getAuthenticatedExtendedCard");
    expect(
      seen.map(({ headers }) =>
        ["authorization", "x-api-key", "a2a-version"].map((name) => headers.get(name)),
      ),
    ).toEqual([
      ["Bearer t", null, "1.0"],
      [null, "k", "0.3"],
    ]);
  });

  test("speaks HTTP+JSON where the agent prefers that", async () => {
    const [, rest] = CARD.supportedInterfaces;
    const pages = { "https://agents.example/a2a/rest/extendedAgentCard": () => Response.json(extended) };
    const card = { ...CARD, supportedInterfaces: [rest] };
    const run = await get(
      serving(card, pages),
      "agents.example",
      "--extended",
      "--bearer",
      "t",
      "-o",
      "name",
    );
    expect(run.cli.stdout).toBe("extended\n");
  });

  test("sends nothing where a credential is missing or does not fit, or no such card is declared", async () => {
    const ask = (card: object, ...argv: string[]) =>
      get(serving(card), "agents.example", "--extended", "-o", "json", ...argv);
    expect(codeOf(await ask(CARD))).toEqual([4, "A2ACLI_ERR_CREDENTIALS_MISSING"]);
    const open = buildAgentCard({ version: "1", baseUrl: "https://h", schemes: [], retentionSeconds: 1 });
    expect(codeOf(await ask(open, "--bearer", "t"))).toEqual([2, "A2ACLI_ERR_USAGE"]);
    const without = { ...CARD, capabilities: { extendedAgentCard: false } };
    expect(codeOf(await ask(without, "--bearer", "t"))).toEqual([3, "A2ACLI_ERR_CARD_NOT_FOUND"]);
  });

  test("ends with 4 where the agent refuses the credential", async () => {
    const refuse = async () => Response.json({ error: "no" }, { status: 401 });
    const pages = { "https://agents.example/a2a": refuse };
    const run = await get(
      serving(CARD, pages),
      "agents.example",
      "--extended",
      "--bearer",
      "t",
      "-o",
      "json",
    );
    expect(codeOf(run)).toEqual([4, "A2ACLI_ERR_AUTH_FAILED"]);
  });
});

test.each([
  [{}, ["https://agents.example"], [3, "A2ACLI_ERR_UNREACHABLE"]],
  [{ pages: notThere() }, ["https://agents.example"], [3, "A2ACLI_ERR_CARD_NOT_FOUND"]],
  [{ pages: { [AT]: () => new Response("<html>") } }, [AT], [1, "A2ACLI_ERR_CARD_INVALID"]],
  [{ pages: { [AT]: () => new Response("", { status: 403 }) } }, [AT], [4, "A2ACLI_ERR_AUTH_FAILED"]],
  [{}, ["./gone.json"], [3, "A2ACLI_ERR_CARD_NOT_FOUND"]],
  [{ files: { "./a.json": "[]" } }, ["./a.json"], [1, "A2ACLI_ERR_CARD_INVALID"]],
  [{}, ["ftp://agents.example"], [2, "A2ACLI_ERR_USAGE"]],
  [{}, ["https://me:pw@agents.example"], [2, "A2ACLI_ERR_USAGE"]],
  [{}, [], [2, "A2ACLI_ERR_USAGE"]],
  [{ pages: { [AT]: silent } }, ["https://agents.example", "--timeout", "0.01"], [5, "A2ACLI_ERR_TIMEOUT"]],
] as const)("a card that cannot be had ends with its own code (%#)", async (options, argv, expected) => {
  expect(codeOf(await get(options, ...argv, "-o", "json"))).toEqual(expected);
});

function notThere() {
  const gone = () => new Response("", { status: 404 });
  return { [AT]: gone, "https://agents.example/.well-known/agent.json": gone };
}

function silent({ signal }: Request): Promise<Response> {
  return new Promise((_, reject) => signal.addEventListener("abort", () => reject(signal.reason)));
}

function otherKey(): string {
  const { publicKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  return publicKey.export({ format: "pem", type: "spki" }).toString();
}
