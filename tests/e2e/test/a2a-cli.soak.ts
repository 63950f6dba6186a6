import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import type { LiveAgent } from "./a2a-cli-live.ts";
import { registry } from "./a2a-cli-registry.ts";
import { startSdkAgent } from "./sdk-agent.ts";
import { Place } from "./support.ts";

/** The agent of docs/conformance.md, which outside suites are run against too. */
const AGENT = fileURLToPath(new URL("../../../apps/server/test/conformance/agent.ts", import.meta.url));

async function conformanceAgent(...flags: string[]): Promise<LiveAgent> {
  const place = new Place();
  const { url } = await place.ready(["--conditions=@cleveragents/source", AGENT, "--port", "0", ...flags]);
  return { url, [Symbol.asyncDispose]: () => place[Symbol.asyncDispose]() };
}

registry("our own server", {
  open: () => conformanceAgent(),
  quiet: () => conformanceAgent("--no-capabilities"),
  guarded: async () => {
    const place = new Place();
    const { url } = await place.server();
    return { url, token: place.discovery().token, [Symbol.asyncDispose]: () => place[Symbol.asyncDispose]() };
  },
});

const TOKEN = "token-of-the-sample-agent";
registry("the SDK's server", {
  open: () => startSdkAgent(),
  quiet: () => startSdkAgent({ streaming: false }),
  guarded: async () => Object.assign(await startSdkAgent({ bearer: TOKEN }), { token: TOKEN }),
});

/** Needs an issuer of tokens, a tenant, or is of something that is not shipped; docs/conformance.md says what has each. */
const ELSEWHERE = ["AUTH_005", "AUTH_006", "AUTH_007", "TX_003", "SKILL_001", "SKILL_002"];

test("each requirement of tiers 1 and 2 is before both agents, or says why not", () => {
  const page = readFileSync(new URL("../../../docs/conformance.md", import.meta.url), "utf8");
  const own = readFileSync(new URL("a2a-cli-registry.ts", import.meta.url), "utf8");
  const rows = page.split("\n").filter((line) => line.startsWith("| A2ACLI_") && !line.includes("(tier 3)"));
  const promised = rows.flatMap((row) => idsIn((row.split("|")[1] ?? "").replaceAll("A2ACLI_", "")));
  const live = [...own.matchAll(/(?:item|test)\(\s*"([A-Z0-9_, to]+): /g)].flatMap(([, ids = ""]) =>
    idsIn(ids),
  );
  expect(promised.length).toBe(54);
  expect(promised.filter((id) => !live.includes(id)).sort()).toEqual([...ELSEWHERE].sort());
});

/** `SEND_001, 003 to 005` is four. */
function idsIn(text: string): string[] {
  let area = "";
  return text.split(",").flatMap((part) => {
    const [, named = area, first = "", last = first] =
      /^\s*(?:([A-Z_]+)_)?(\d{3})(?: to (\d{3}))?\s*$/.exec(part) ?? [];
    area = named;
    return Array.from(
      { length: Number(last) - Number(first) + 1 },
      (_, n) => `${area}_${String(Number(first) + n).padStart(3, "0")}`,
    );
  });
}
