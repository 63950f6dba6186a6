import { createHash } from "node:crypto";
import type { JsonObject, Part } from "@cleveragents/domain";
import fc from "fast-check";
import { expect, test } from "vitest";
import { aSession, converse, me, openStores } from "./session-fixtures.ts";

const actor = { run: async () => ({ state: "completed" as const }) };

const text = fc.string({ unit: "binary", minLength: 1, maxLength: 40 });
const object = fc.dictionary(fc.string({ maxLength: 8 }), fc.jsonValue({ maxDepth: 2 }), { maxKeys: 4 });
const part: fc.Arbitrary<Part> = fc.oneof(
  text.map((value): Part => ({ kind: "text", text: value })),
  fc
    .jsonValue({ maxDepth: 2 })
    .map((data): Part => ({ kind: "data", data: JSON.parse(JSON.stringify(data)) })),
  fc
    .uint8Array({ maxLength: 20 })
    .map(
      (bytes): Part => ({ kind: "bytes", bytes: Buffer.from(bytes).toString("base64"), filename: "a.bin" }),
    ),
  fc.webUrl().map((url): Part => ({ kind: "url", url, mediaType: "image/png" })),
);
const said = fc.array(part, { minLength: 1, maxLength: 3 });
/** What somebody asked and how it was answered: with words, or with an artifact alone. */
const exchange = fc.record({ asked: said, answered: said, asArtifact: fc.boolean() });
const session = fc.record({
  name: fc.option(fc.string({ maxLength: 50 }), { nil: undefined }),
  metadata: fc.option(object, { nil: undefined }),
  budget: fc.option(fc.record({ tokens: fc.nat(), cost_usd: fc.nat() }), { nil: undefined }),
  exchanges: fc.array(exchange, { maxLength: 4 }),
});

/** What a document says besides whose it is and when. */
function content({ session_id: _, created_at: __, updated_at: ___, checksum: ____, ...rest }: JsonObject) {
  return rest;
}

test("whatever a session has is exported, imported and exported again as it was", async () => {
  await fc.assert(
    fc.asyncProperty(session, async ({ exchanges, ...about }) => {
      const stores = openStores();
      const { service } = converse(stores, { actor });
      const more = JSON.parse(JSON.stringify(about)) as JsonObject;
      await stores.sessions.create(aSession("s", more));
      for (const [n, { asked, answered, asArtifact }] of exchanges.entries()) {
        const message = (role: "user" | "agent", parts: readonly Part[]) => ({
          messageId: `${role}-${n}`,
          role,
          taskId: `t${n}`,
          contextId: "s",
          parts,
        });
        await stores.store.commit({
          taskId: `t${n}`,
          create: { contextId: "s", principal: me.id, kind: "message" },
          document: { turn: 1, attempt: 1 },
          events: [
            { key: "r", event: { type: "status", state: "working", received: message("user", asked) } },
            ...(asArtifact
              ? [
                  {
                    key: "a",
                    event: {
                      type: "artifact" as const,
                      artifact: { artifactId: "a", parts: answered },
                      append: false,
                      lastChunk: true,
                    },
                  },
                ]
              : []),
            {
              key: "e",
              event: {
                type: "status",
                state: "completed",
                ...(asArtifact ? {} : { message: message("agent", answered) }),
              },
            },
          ],
        });
      }
      const document = await service.export(me, "s");
      // As it travels.
      const sent = JSON.parse(JSON.stringify(document)) as JsonObject;
      const imported = await service.import(me, sent, { refuse: false });
      expect(imported.messages).toBe(2 * exchanges.length);
      const again = await service.export(me, imported.session.sessionId);
      expect(content(again)).toEqual(content(document));
      // And whatever is changed in it is seen.
      const [key = ""] = Object.keys(content(document));
      const changed = { ...sent, [key]: { changed: sent[key] ?? null } };
      await expect(service.import(me, changed, { refuse: false })).rejects.toThrow();
    }),
    { numRuns: 40 },
  );
});

test("a checksum is taken with its prefix and without, and its keys in any order", async () => {
  const stores = openStores();
  const { service } = converse(stores, { actor });
  await stores.sessions.create(aSession("s", { name: "n" }));
  const { checksum, ...document } = await service.export(me, "s");
  const bare = String(checksum).replace("sha256:", "");
  const turned = Object.fromEntries(Object.entries(document).reverse());
  for (const written of [checksum, bare, bare.toUpperCase()])
    expect(await service.import(me, { checksum: written ?? "", ...turned }, { refuse: false })).toMatchObject(
      {
        checksum,
      },
    );
  const twice = { ...document, checksum: `sha256:${String(checksum)}` };
  await expect(service.import(me, twice, { refuse: false })).rejects.toMatchObject({
    reason: "CHECKSUM_MISMATCH",
  });
});

test("documents of version 1.0 are read: who said what, and which plans there were", async () => {
  const stores = openStores();
  const { service } = converse(stores, { actor });
  const old = {
    schema_version: "1.0",
    session_id: "old",
    messages: [
      { role: "system", content: "be brief" },
      { role: "user", content: "what failed?" },
      { role: "assistant", content: "two tests" },
    ],
    linked_plan_ids: ["p1"],
  };
  const digest = createHash("sha256").update(canonical(old)).digest("hex");
  const imported = await service.import(me, { ...old, checksum: digest }, { refuse: true });
  expect(imported).toMatchObject({ version: "1.0", messages: 3, plans: 1, session: { sessionId: "old" } });
  const shown = await service.show(me, "old");
  expect(shown.recent.map(({ role, parts }) => [role, parts[0]])).toEqual([
    ["agent", { kind: "text", text: "be brief" }],
    ["user", { kind: "text", text: "what failed?" }],
    ["agent", { kind: "text", text: "two tests" }],
  ]);
  expect((await service.export(me, "old"))["linked_plan_ids"]).toEqual(["p1"]);
});

test("a session that is too large for a document is refused, and says so", async () => {
  const stores = openStores();
  const { service } = converse(stores, { actor });
  await stores.sessions.create(aSession("s"));
  const parts: Part[] = [{ kind: "text", text: "x".repeat(5 * 1024 * 1024) }];
  for (const taskId of ["t1", "t2"])
    await stores.store.commit({
      taskId,
      create: { contextId: "s", principal: me.id, kind: "message" },
      document: { turn: 1, attempt: 1 },
      events: [
        {
          key: "r",
          event: { type: "status", state: "completed", received: { messageId: taskId, role: "user", parts } },
        },
      ],
    });
  await expect(service.export(me, "s")).rejects.toMatchObject({ reason: "SESSION_TOO_LARGE" });
});

/** JSON with sorted keys, as the documents describe what is summed. */
function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(",")}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return `{${entries.map(([key, inner]) => `${JSON.stringify(key)}:${canonical(inner)}`).join(",")}}`;
}
