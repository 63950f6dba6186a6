import { expect, test } from "vitest";
import type { Executable } from "../ports/trust.ts";
import { TrustRequiredError } from "../ports/trust.ts";
import { TrustService } from "./trust-service.ts";

const LOCAL = { id: "local", scopes: [] };
const SERVER: Executable = {
  kind: "mcp",
  name: "tools",
  command: "node",
  args: ["server.js", "--fast"],
  environment: { TOKEN: "one", HOME: "/h" },
  files: [{ path: "server.js", sha256: "aa" }],
};

function service() {
  const entries = new Map<string, { name: string }>();
  const registry = {
    add: async (entry: { name: string }) => void entries.set(entry.name, entry),
    remove: async (_: string, name: string) => void entries.delete(name),
    find: async (_: string, name: string) => entries.get(name),
    list: async () => [...entries.values()],
  };
  return new TrustService({ registry: registry as never, clock: { now: () => 7 } as never });
}

const refusal = async (trust: TrustService, executable: Executable): Promise<TrustRequiredError> =>
  (await trust.demand(executable).then(
    () => undefined,
    (error: unknown) => error,
  )) as TrustRequiredError;

test("nothing is started without consent, and the refusal names the command that gives it", async () => {
  const trust = service();
  const refused = await refusal(trust, SERVER);
  expect(refused).toBeInstanceOf(TrustRequiredError);
  expect(refused.reason).toBe("TRUST_REQUIRED");
  expect(refused.message).toContain(`agents trust add mcp local/tools --digest ${refused.digest}`);
  await trust.grant(LOCAL, { kind: "mcp", name: "tools", digest: refused.digest });
  await expect(trust.demand(SERVER)).resolves.toBeUndefined();
  expect(await trust.list()).toEqual([
    {
      kind: "mcp",
      entry: "local/tools",
      digest: refused.digest,
      command: "node",
      args: ["server.js", "--fast"],
      variables: ["HOME", "TOKEN"],
      files: [{ path: "server.js", sha256: "aa" }],
      grantedBy: "local",
      grantedAt: 7,
    },
  ]);
  expect(JSON.stringify(await trust.list())).not.toContain("one");
});

test.each<[string, Partial<Executable>]>([
  ["its command", { command: "/usr/bin/node" }],
  ["an argument", { args: ["server.js", "--slow"] }],
  ["how its arguments are cut", { args: ["server.js --fast"] }],
  ["the value of a variable", { environment: { TOKEN: "two", HOME: "/h" } }],
  ["a variable more", { environment: { TOKEN: "one", HOME: "/h", NODE_OPTIONS: "--require x" } }],
  ["a file that it runs", { files: [{ path: "server.js", sha256: "bb" }] }],
  ["a file that it no longer names", { files: [] }],
  ["its name", { name: "other" }],
  ["its kind", { kind: "lsp" }],
])("what was trusted is not any more when %s has changed", async (_, change) => {
  const trust = service();
  await trust.trust(LOCAL, SERVER);
  await expect(trust.demand(SERVER)).resolves.toBeUndefined();
  const refused = await refusal(trust, { ...SERVER, ...change });
  expect(refused).toBeInstanceOf(TrustRequiredError);
  const sameName = (change.name ?? SERVER.name) === SERVER.name && (change.kind ?? "mcp") === "mcp";
  expect(refused.message.includes("not what was trusted any more")).toBe(sameName);
});

test("the order of variables and files changes nothing", async () => {
  const trust = service();
  await trust.trust(LOCAL, { ...SERVER, files: [...(SERVER.files ?? []), { path: "a", sha256: "1" }] });
  await trust.demand({
    ...SERVER,
    environment: { HOME: "/h", TOKEN: "one" },
    files: [{ path: "a", sha256: "1" }, ...(SERVER.files ?? [])],
  });
});

test("consent without a digest is to the last that has asked under the name, and ends with all of the name", async () => {
  const trust = service();
  await expect(trust.grant(LOCAL, { kind: "mcp", name: "tools" })).rejects.toMatchObject({
    reason: "TRUST_NOT_FOUND",
  });
  await refusal(trust, SERVER);
  const changed = { ...SERVER, args: [] };
  const { digest } = await refusal(trust, changed);
  expect(await trust.grant(LOCAL, { kind: "mcp", name: "local/tools" })).toMatchObject({ digest, args: [] });
  await trust.demand(changed);
  expect((await trust.list()).map(({ grantedAt }) => grantedAt)).toContain(undefined);
  await trust.withdraw({ kind: "mcp", name: "tools" });
  expect(await refusal(trust, changed)).toBeInstanceOf(TrustRequiredError);
  await expect(trust.withdraw({ kind: "mcp", name: "tools" })).rejects.toThrow("no trust mcp local/tools");
});

test("of very many that ask in vain the oldest are forgotten", async () => {
  const trust = service();
  for (let n = 0; n < 250; n += 1) await refusal(trust, { ...SERVER, args: [String(n)] });
  expect(await trust.list()).toHaveLength(200);
});
