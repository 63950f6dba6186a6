import { describe, expect, test } from "vitest";
import { toBlendedAgentCard } from "./blended-agent-card.ts";
import { buildAgentCard } from "./build-agent-card.ts";
import { checkAgentCard } from "./check-agent-card.ts";
import { toLegacyAgentCard } from "./legacy-agent-card.ts";

const card = buildAgentCard({
  version: "1",
  baseUrl: "https://agents.example",
  schemes: ["bearer", "apiKey", "jwt"],
  openIdConnectUrl: "https://login.example/.well-known/openid-configuration",
  retentionSeconds: 1,
});
const legacy = toLegacyAgentCard(card);
const problems = (given: unknown) =>
  checkAgentCard(given).problems.map(({ version, path, message }) => `${version} ${path}: ${message}`);

describe("a card", () => {
  test("of ours is right in each version that it has the members of", () => {
    expect(checkAgentCard(card)).toEqual({ versions: ["1.0"], problems: [] });
    expect(checkAgentCard(legacy)).toEqual({ versions: ["0.3"], problems: [] });
    expect(checkAgentCard(toBlendedAgentCard(card))).toEqual({ versions: ["1.0", "0.3"], problems: [] });
  });

  test("may have members that nobody knows", () => {
    expect(problems({ ...card, colour: "red" })).toEqual([]);
  });

  test.each([["text"], [null], [{}], [{ name: "x" }], [[]]])("is of no version: %j", (given) => {
    expect(checkAgentCard(given).versions).toEqual([]);
  });

  test.each([
    [{ ...card, name: undefined }, "1.0 name: Invalid input: expected string, received undefined"],
    [{ ...card, skills: [] }, "1.0 skills: must not be empty"],
    [
      { ...card, supportedInterfaces: [{ url: "/a2a", protocolBinding: "JSONRPC", protocolVersion: "1.0" }] },
      "1.0 supportedInterfaces.0.url: must be an absolute http or https URL",
    ],
    [
      { ...card, provider: { organization: "x" } },
      "1.0 provider.url: Invalid input: expected string, received undefined",
    ],
    [
      { ...card, securitySchemes: { ...card.securitySchemes, bearer: {} } },
      "1.0 securitySchemes.bearer: must have exactly one of the kinds of schemes",
    ],
    [
      { ...card, securityRequirements: [{ schemes: { other: { list: [] } } }] },
      '1.0 securityRequirements.0: names the scheme "other", which the card does not have',
    ],
    [{ ...legacy, url: "agents.example" }, "0.3 url: must be an absolute http or https URL"],
    [
      { ...legacy, securitySchemes: {} },
      '0.3 security.0: names the scheme "bearer", which the card does not have',
    ],
    [
      { ...legacy, skills: [{ id: "x", name: "x", description: "x" }] },
      "0.3 skills.0.tags: Invalid input: expected array, received undefined",
    ],
  ])("is told what is wrong in it (%#)", (given, expected) => {
    expect(problems(given)).toContain(expected);
  });

  test("of a binding of its own may have any address there", () => {
    const own = { url: "stdio:", protocolBinding: "urn:x", protocolVersion: "1.0" };
    expect(problems({ ...card, supportedInterfaces: [own] })).toEqual([]);
  });
});
