import { describe, expect, test } from "vitest";
import { z } from "zod";
import { methods } from "../methods/method-table.ts";
import { toBlendedAgentCard } from "./blended-agent-card.ts";
import { buildAgentCard, type CardConfig } from "./build-agent-card.ts";
import { canonicalAgentCard } from "./canonical-agent-card.ts";
import { canonicalJson } from "./canonical-json.ts";
import { platformSkills } from "./card-skills.ts";
import { buildExtendedAgentCard } from "./extended-agent-card.ts";
import { toLegacyAgentCard } from "./legacy-agent-card.ts";

const CONFIG: CardConfig = {
  version: "1.2.3",
  baseUrl: "https://agents.example/a",
  schemes: ["bearer", "apiKey", "jwt"],
  retentionSeconds: 60,
  provider: { organization: "Example", url: "https://example.com" },
  documentationUrl: "https://example.com/docs",
  iconUrl: "https://example.com/icon.png",
};
const card = buildAgentCard(CONFIG);
const overJson = (value: unknown) => JSON.parse(JSON.stringify(value)) as unknown;

const strings = z.array(z.string());
const url = z.url({ protocol: /^https?$/ });
const skill = { id: z.string(), name: z.string(), description: z.string(), tags: strings.min(1) };
const extension = z.strictObject({
  uri: z.string(),
  description: z.string(),
  required: z.boolean().optional(),
  params: z.record(z.string(), z.json()).optional(),
});
const common = {
  name: z.string().min(1),
  description: z.string().min(1),
  version: z.string().min(1),
  provider: z.strictObject({ url, organization: z.string() }),
  documentationUrl: url,
  iconUrl: url,
  defaultInputModes: strings.min(1),
  defaultOutputModes: strings.min(1),
};
const description = z.string().optional();

/** What A2A 1.0's proto allows of a card that says all that ours can. */
const CARD_1_0 = z.strictObject({
  ...common,
  supportedInterfaces: z.array(
    z.strictObject({ url, protocolBinding: z.string(), protocolVersion: z.string() }),
  ),
  capabilities: z.strictObject({
    streaming: z.boolean(),
    pushNotifications: z.boolean(),
    extendedAgentCard: z.boolean(),
    extensions: z.array(extension),
  }),
  securitySchemes: z.record(
    z.string(),
    z.union([
      z.strictObject({
        httpAuthSecurityScheme: z.strictObject({
          scheme: z.string(),
          bearerFormat: z.string().optional(),
          description,
        }),
      }),
      z.strictObject({
        apiKeySecurityScheme: z.strictObject({ location: z.string(), name: z.string(), description }),
      }),
    ]),
  ),
  securityRequirements: z.array(
    z.strictObject({ schemes: z.record(z.string(), z.strictObject({ list: strings })) }),
  ),
  skills: z.array(z.strictObject({ ...skill, examples: strings.optional() })),
});

/** The same of A2A 0.3's JSON schema. */
const CARD_0_3 = z.strictObject({
  ...common,
  protocolVersion: z.literal("0.3.0"),
  url,
  preferredTransport: z.string(),
  additionalInterfaces: z.array(z.strictObject({ url, transport: z.string() })),
  capabilities: z.strictObject({
    streaming: z.boolean(),
    pushNotifications: z.boolean(),
    extensions: z.array(extension),
  }),
  supportsAuthenticatedExtendedCard: z.boolean(),
  securitySchemes: z.record(
    z.string(),
    z.union([
      z.strictObject({
        type: z.literal("http"),
        scheme: z.string(),
        bearerFormat: z.string().optional(),
        description,
      }),
      z.strictObject({ type: z.literal("apiKey"), in: z.string(), name: z.string(), description }),
    ]),
  ),
  security: z.array(z.record(z.string(), strings)),
  skills: z.array(z.strictObject({ ...skill, examples: strings.optional() })),
});

describe("the card", () => {
  test("has the members of A2A 1.0 and no others", () => {
    expect(CARD_1_0.parse(overJson(card))).toEqual(overJson(card));
  });

  test("for 0.3 has the members of 0.3 and no others", () => {
    const legacy = overJson(toLegacyAgentCard(card));
    expect(CARD_0_3.parse(legacy)).toEqual(legacy);
  });

  test("lists both bindings in both versions, 1.0 first, each below the address as it is reached", () => {
    const [rpc, rest] = ["https://agents.example/a/a2a", "https://agents.example/a/a2a/rest"];
    expect(card.supportedInterfaces).toEqual([
      { url: rpc, protocolBinding: "JSONRPC", protocolVersion: "1.0" },
      { url: rest, protocolBinding: "HTTP+JSON", protocolVersion: "1.0" },
      { url: rpc, protocolBinding: "JSONRPC", protocolVersion: "0.3" },
      { url: rest, protocolBinding: "HTTP+JSON", protocolVersion: "0.3" },
    ]);
    expect(toLegacyAgentCard(card)).toMatchObject({
      url: rpc,
      preferredTransport: "JSONRPC",
      additionalInterfaces: [{ url: rest, transport: "HTTP+JSON" }],
    });
    const slashed = buildAgentCard({ ...CONFIG, baseUrl: `${CONFIG.baseUrl}//` });
    expect(slashed.supportedInterfaces).toEqual(card.supportedInterfaces);
  });

  test("lists one version where one is served", () => {
    const only = buildAgentCard({ ...CONFIG, versions: ["1.0"] });
    expect(only.supportedInterfaces.map(({ protocolVersion }) => protocolVersion)).toEqual(["1.0", "1.0"]);
  });

  test("says what is switched off", () => {
    const { capabilities } = buildAgentCard({ ...CONFIG, capabilities: { streaming: false } });
    expect(capabilities).toMatchObject({
      streaming: false,
      pushNotifications: true,
      extendedAgentCard: true,
    });
  });

  test("names every method of the platform's that is in the table", () => {
    const params = card.capabilities.extensions?.find(
      ({ uri }) => uri === "urn:cleveragents:extensions:v1",
    )?.params;
    const own = Object.values(methods).filter(({ family }) => family === "cleveragents");
    expect(params?.["methods"]).toEqual(own.map(({ name }) => name).sort());
  });

  test("names what describes the platform's methods, where it can be fetched", () => {
    const described = (config: Partial<CardConfig>) => {
      const { methods: _, ...params } =
        buildAgentCard({ ...CONFIG, ...config }).capabilities.extensions?.[0]?.params ?? {};
      return params;
    };
    const openrpc = "https://agents.example/a/openrpc.json";
    expect(described({})).toEqual({ version: "1.0", specification: "https://example.com/docs", openrpc });
    expect(described({ documentationUrl: undefined })).toEqual({
      version: "1.0",
      specification: "https://agents.example/a/extensions/v1.md",
      openrpc,
    });
    expect(described({ documentationUrl: undefined, baseUrl: undefined })).toEqual({ version: "1.0" });
  });

  test("requires no extension", () => {
    expect(card.capabilities.extensions?.map(({ required }) => required)).not.toContain(true);
  });

  test("advertises a skill only when a method of it is served", () => {
    const ids = (served: readonly string[]) => platformSkills(served).map(({ id }) => id);
    expect(ids([])).toEqual([]);
    expect(ids(["_cleveragents/sync/pull", "_cleveragents/context/show"])).toEqual([
      "context-management",
      "entity-sync",
    ]);
    expect(
      ids(
        [
          "plan/use",
          "registry/tool/list",
          "context/show",
          "sync/pull",
          "namespace/list",
          "diagnostics/run",
        ].map((name) => `_cleveragents/${name}`),
      ),
    ).toEqual([
      "plan-lifecycle",
      "registry-crud",
      "context-management",
      "entity-sync",
      "namespace-management",
      "diagnostics",
    ]);
  });

  test("declares OpenID Connect where the issuer of tokens describes itself", () => {
    const openIdConnectUrl = "https://login.example/.well-known/openid-configuration";
    const { securitySchemes } = buildAgentCard({ ...CONFIG, schemes: ["jwt"], openIdConnectUrl });
    expect(securitySchemes).toEqual({ jwt: { openIdConnectSecurityScheme: { openIdConnectUrl } } });
    expect(buildAgentCard({ ...CONFIG, schemes: [] })).not.toHaveProperty("securitySchemes");
  });
});

test("the blended card has both cards in it, each security scheme in both shapes, and the documents' place", () => {
  const blended = toBlendedAgentCard(card);
  const legacy = toLegacyAgentCard(card);
  expect(blended).toMatchObject(card);
  const { securitySchemes, ...others } = legacy;
  expect(blended).toMatchObject({ ...others, security: legacy["security"] });
  expect(blended["securitySchemes"]).toMatchObject(securitySchemes as object);
  expect((blended["securitySchemes"] as Record<string, unknown>)["apiKey"]).toEqual({
    type: "apiKey",
    in: "header",
    name: "X-API-Key",
    description: "an API key of this agent",
    apiKeySecurityScheme: {
      location: "header",
      name: "X-API-Key",
      description: "an API key of this agent",
    },
  });
  expect(blended["extensions"]).toEqual([
    {
      uri: "urn:cleveragents:extensions:v1",
      version: "v1",
      methods: expect.arrayContaining(["_cleveragents/plan/use"]),
    },
  ]);
});

describe("the extended card", () => {
  const skills = [{ id: "local/x", name: "local/x", description: "x", tags: ["action"] }];

  test("has more skills, and over stdio that binding, which asks for no credential", () => {
    const overHttp = buildExtendedAgentCard(CONFIG, { skills, overStdio: false });
    expect(overHttp).toEqual({ ...card, skills: [...card.skills, ...skills] });
    const overStdio = buildExtendedAgentCard(CONFIG, { skills, overStdio: true });
    expect(overStdio.supportedInterfaces).toEqual([
      { url: "stdio:", protocolBinding: "urn:cleveragents:bindings:stdio:v1", protocolVersion: "1.0" },
      { url: "stdio:", protocolBinding: "urn:cleveragents:bindings:stdio:v1", protocolVersion: "0.3" },
      ...card.supportedInterfaces,
    ]);
    expect(overStdio.securityRequirements?.[0]).toEqual({ schemes: {} });
    expect(JSON.stringify(overHttp)).not.toContain("stdio:v1");
  });

  test("of an agent that is not reached over HTTP lists stdio alone", () => {
    const { baseUrl: _, ...local } = CONFIG;
    const { supportedInterfaces } = buildExtendedAgentCard(local, { skills: [], overStdio: true });
    expect(supportedInterfaces.map(({ url }) => url)).toEqual(["stdio:", "stdio:"]);
  });
});

describe("the text that is signed", () => {
  test("is canonical JSON as RFC 8785 has it", () => {
    const value = {
      numbers: [1e30, 4.5, 2e-3, 0.000000000000000000000000001],
      string: "\u20ac$\u000f\u000aA'\u0042\u0022\u005c\\\"/",
      literals: [null, true, false],
    };
    expect(canonicalJson(value)).toBe(
      '{"literals":[null,true,false],"numbers":[1e+30,4.5,0.002,1e-27],"string":"€$\\u000f\\nA\'B\\"\\\\\\\\\\"/"}',
    );
    const sorted = { "\u20ac": 1, "\r": 2, "\ufb33": 3, "1": 4, "\ud83d\ude00": 5, "\u0080": 6, "\u00f6": 7 };
    expect(
      canonicalJson(sorted)
        .match(/\d(?=[,}])/g)
        ?.join(""),
    ).toBe("2467153");
  });

  test("keeps what is required or was set, and drops defaults and signatures", () => {
    expect(
      canonicalAgentCard({
        skills: [],
        name: "Example Agent",
        description: "",
        version: "1",
        supportedInterfaces: [
          { url: "https://x", protocolBinding: "JSONRPC", protocolVersion: "1.0", tenant: "" },
        ],
        capabilities: { streaming: false, pushNotifications: false, extensions: [] },
        defaultInputModes: [],
        defaultOutputModes: [],
        securitySchemes: {},
        signatures: [{ protected: "a", signature: "b" }],
      }),
    ).toBe(
      '{"capabilities":{"pushNotifications":false,"streaming":false},"defaultInputModes":[],"defaultOutputModes":[],"description":"","name":"Example Agent","skills":[],"supportedInterfaces":[{"protocolBinding":"JSONRPC","protocolVersion":"1.0","url":"https://x"}],"version":"1"}',
    );
  });

  test.each(["strict", "lenient"] as const)("is the same of the blended card (%s)", (reading) => {
    expect(canonicalAgentCard(toBlendedAgentCard(card), reading)).toBe(canonicalAgentCard(card, reading));
  });
});
