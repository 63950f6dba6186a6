import { TransportError } from "@cleveragents/protocol";
import { describe, expect, test } from "vitest";
import { AgentCardError, cardAddresses, fetchAgentCard } from "./fetch-agent-card.ts";

/** A network with these answers; everything else is 404. */
function network(answers: Readonly<Record<string, Response>>) {
  const asked: string[] = [];
  const fetch = async (url: unknown, init: RequestInit = {}) => {
    const version = new Headers(init.headers).get("a2a-version");
    asked.push(`${url}${version === null ? "" : ` ${version}`}`);
    return answers[String(url)] ?? new Response("", { status: 404 });
  };
  return { asked, fetch: fetch as typeof globalThis.fetch };
}

const reasonOf = async (answers: Readonly<Record<string, Response>>) => {
  const failed: unknown = await fetchAgentCard("https://h", { fetch: network(answers).fetch }).catch(
    (error: unknown) => error,
  );
  if (failed instanceof AgentCardError) return [failed.reason, failed.message];
  return TransportError.is(failed) ? failed.reason : failed;
};

describe("an agent's card is looked for", () => {
  const root = ["https://h/.well-known/agent-card.json", "https://h/.well-known/agent.json"];
  const below = ["https://h/p/.well-known/agent-card.json", "https://h/p/.well-known/agent.json"];

  test.each([
    ["https://h", root],
    ["https://h/", root],
    ["https://h/p", [...below, ...root]],
    ["https://h/p/", [...below, ...root]],
    ["https://h/p/.well-known/agent-card.json", below.slice(0, 1)],
    ["https://h/cards/mine.json?a=b#c", ["https://h/cards/mine.json?a=b"]],
  ])("of %s", (address, expected) => {
    expect(cardAddresses(address)).toEqual(expected);
  });

  test("until there is one, with the version that is asked for", async () => {
    const { asked, fetch } = network({ [root[1] ?? ""]: Response.json({ name: "x" }) });
    const found = await fetchAgentCard("https://h/p", { fetch, version: "1.0" });
    expect(found).toEqual({ card: { name: "x" }, url: root[1] });
    expect(asked).toEqual([...below, ...root].map((url) => `${url} 1.0`));
  });
});

test("what is no card is told, with where it was looked for", async () => {
  const [at = ""] = cardAddresses("https://h");
  expect(await reasonOf({})).toEqual(["NOT_FOUND", expect.stringContaining(at)]);
  expect(await reasonOf({ [at]: new Response("<html>") })).toEqual(["NOT_A_CARD", expect.any(String)]);
  expect(await reasonOf({ [at]: Response.json([1]) })).toEqual(["NOT_A_CARD", expect.any(String)]);
  expect(await reasonOf({ [at]: new Response("", { status: 401 }) })).toEqual([
    "UNAUTHORIZED",
    `${at} answered 401`,
  ]);
  const refusal = Response.json({ error: { code: -32009, message: "not served" } }, { status: 400 });
  expect(await reasonOf({ [at]: refusal })).toEqual(["REFUSED", `${at} answered 400: not served`]);
  expect(await reasonOf({ [at]: new Response("x".repeat(5 * 1024 * 1024)) })).toBe("BAD_RESPONSE");
});

test("an address that nobody listens at is not connected", async () => {
  const failed: unknown = await fetchAgentCard("http://127.0.0.1:1").catch((error: unknown) => error);
  expect(TransportError.is(failed) && failed.reason).toBe("NOT_CONNECTED");
});
