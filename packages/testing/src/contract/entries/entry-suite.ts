import type { RemoteError } from "@cleveragents/protocol";
import { describe, expect, test } from "vitest";
import type { World } from "../../world/world.ts";
import { refusals } from "../refusals.ts";
import { type JsonObject, stringifyYaml } from "./yaml-text.ts";

export type Verb = "list" | "show" | "add" | "update" | "remove";

/** What is particular to a kind of what can be registered. */
export interface EntryFixture {
  /** Names of the list and of the document in results. */
  readonly plural: string;
  readonly field: string;
  /** A document that can be registered; `n` makes another one of the same name. */
  readonly text: (name: string, n?: number) => string;
  /** One that names something that is not there, and what the refusal says is not. */
  readonly dangling?: { readonly text: (name: string) => string; readonly reason: string };
  /** Registers what needs the entry, and says how a refusal names it. */
  readonly used?: (world: World, name: string) => Promise<string>;
}

// One kind stands for all: what is called is the same, by other names.
type Named<V extends Verb> = `_cleveragents/registry/skill/${V}`;

/** What holds for every kind: the methods that are named, on a namespace of the suite's own. */
export function entrySuite(kind: string, verbs: readonly Verb[], world: () => World, of: EntryFixture): void {
  const named = <V extends Verb>(verb: V) => `_cleveragents/registry/${kind}/${verb}` as Named<V>;
  const space = `suite-${kind.replace("_", "-")}`;
  const own = (name: string) => `${space}/${name}`;
  const reason = `${kind.toUpperCase()}_NOT_FOUND`;
  const readers = (w: World) => w.as("reader", ["registry:read"]).client;
  const writers = (w: World) => w.as("writer", ["registry:write"]).client;
  const add = (document: string, more: object = {}, w = world()) =>
    w.client.call(named("add"), { document, file: "mine.yaml", ...more });
  const documentIn = (detail: object) => (detail as Record<string, JsonObject>)[of.field] as JsonObject;
  const revisionIn = (detail: object) => (detail as { revision?: string }).revision as string;

  const blocks: Record<Verb, () => void> = {
    list() {
      describe(named("list"), () => {
        test("shows a namespace by name, page by page", async () => {
          for (const name of ["b", "a"]) await add(of.text(`${space}-listed/${name}`));
          const list = async (params: object) =>
            (await world().client.call(named("list"), {
              namespace: `${space}-listed`,
              ...params,
            })) as unknown as Record<string, { name: string }[]> & { total: number; next_page_token: string };
          const first = await list({ page_size: 1 });
          expect(first[of.plural]?.map(({ name }) => name)).toEqual([`${space}-listed/a`]);
          expect(first.total).toBe(2);
          const rest = await list({ page_token: first.next_page_token });
          expect(rest[of.plural]?.map(({ name }) => name)).toEqual([`${space}-listed/b`]);
          expect(await list({ namespace: "empty" })).toEqual({
            [of.plural]: [],
            total: 0,
            next_page_token: "",
          });
        });

        refusals(named("list"), world, {
          InvalidParams: {
            "a page of none": ({ client }) => client.call(named("list"), { page_size: 0 }),
            "a token that is not ours": ({ client }) => client.call(named("list"), { page_token: "nope" }),
          },
          Forbidden: {
            "a caller without registry:read": (w) => writers(w).call(named("list"), {}),
          },
        });
      });
    },

    show() {
      describe(named("show"), () => {
        test("gives the document that add takes, whatever was filled in", async () => {
          const added = await add(of.text(own("shown")));
          const shown = await world().client.call(named("show"), { name: own("shown") });
          expect(shown).toEqual(added);
          for (const document of [JSON.stringify(documentIn(shown)), stringifyYaml(documentIn(shown))]) {
            const again = await add(document, { update: true });
            expect(documentIn(again)).toEqual(documentIn(shown));
            expect(revisionIn(again)).toBe(revisionIn(shown));
          }
        });

        refusals(named("show"), world, {
          InvalidParams: {
            "no name": ({ client }) => client.call(named("show"), {} as never),
            "a name that is none": ({ client }) => client.call(named("show"), { name: "two words" }),
          },
          EntryNotFound: {
            "a name that nobody has registered": {
              reason,
              attempt: ({ client }) => client.call(named("show"), { name: "nope/nope" }),
            },
          },
          Forbidden: {
            "a caller without registry:read": (w) => writers(w).call(named("show"), { name: "x" }),
          },
        });
      });
    },

    add() {
      describe(named("add"), () => {
        test("registers a document under its full name, flat or in its wrapper", async () => {
          const bare = `flat-${space}`;
          expect(await add(of.text(bare))).toMatchObject({ name: `local/${bare}` });
          const lines = of
            .text(own("wrapped"))
            .split("\n")
            .map((line) => `  ${line}`);
          expect(
            await add(`cleveragents: { version: "3.0" }\n${of.field}:\n${lines.join("\n")}`),
          ).toMatchObject({ name: own("wrapped") });
        });

        test("replaces what is there only when told to", async () => {
          const first = await add(of.text(own("replaced")));
          const second = await add(of.text(own("replaced"), 2), { update: true });
          expect(revisionIn(second)).not.toBe(revisionIn(first));
          expect(await world().client.call(named("show"), { name: own("replaced") })).toEqual(second);
        });

        test("an unknown key is named, with its line and the nearest one that is known", async () => {
          const text = `${of.text(own("typo"))}\ndescriptoin: x\n`;
          const refused = (await add(text).catch((error: unknown) => error)) as RemoteError;
          expect(refused.violations).toEqual([
            expect.objectContaining({
              file: "mine.yaml",
              line: text.split("\n").indexOf("descriptoin: x") + 1,
              description: 'unknown key "descriptoin"; did you mean "description"?',
            }),
          ]);
        });

        refusals(named("add"), world, {
          InvalidParams: {
            "no document": ({ client }) => client.call(named("add"), {} as never),
            "text that is no YAML": { reason: "DOCUMENT_INVALID", attempt: (w) => add("name: [1", {}, w) },
            "a reserved namespace": {
              reason: "DOCUMENT_INVALID",
              attempt: (w) => add(of.text("system/x"), {}, w),
            },
            "a provider's namespace": (w) => add(of.text("openai/x"), {}, w),
            "the product's namespace": (w) => add(of.text("builtin/x"), {}, w),
          },
          EntryNotFound:
            of.dangling === undefined
              ? {}
              : {
                  "what it names and nobody has registered": {
                    reason: of.dangling.reason,
                    attempt: (w) =>
                      add((of.dangling as typeof of.dangling & {}).text(own("dangling")), {}, w),
                  },
                },
          AlreadyExists: {
            "a name that is taken": async (w) => {
              await add(of.text(own("taken")), { update: true }, w);
              return add(of.text(own("taken"), 2), {}, w);
            },
          },
          Forbidden: {
            "a caller who may only read": (w) => readers(w).call(named("add"), { document: "" }),
          },
        });
      });
    },

    update() {
      describe(named("update"), () => {
        test("replaces the revision that was seen, and no other", async () => {
          const { client } = world();
          const seen = await add(of.text(own("updated")));
          const update = (n: number, revision: string | undefined) =>
            client.call(named("update"), {
              name: own("updated"),
              document: of.text(own("updated"), n),
              revision,
            });
          const second = await update(2, revisionIn(seen));
          expect(documentIn(second)).not.toEqual(documentIn(seen));
          await expect(update(3, revisionIn(seen))).rejects.toMatchObject({ reason: "REVISION_MISMATCH" });
          expect(await client.call(named("show"), { name: own("updated") })).toEqual(second);
          expect(documentIn(await update(3, undefined))).not.toEqual(documentIn(second));
        });

        test("of many that have seen the same, one is heard", async () => {
          const seen = await add(of.text(own("raced")));
          const all = await Promise.allSettled(
            [2, 3, 4].map((n) =>
              world().client.call(named("update"), {
                document: of.text(own("raced"), n),
                revision: revisionIn(seen),
              }),
            ),
          );
          expect(all.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
        });

        refusals(named("update"), world, {
          InvalidParams: {
            "no document": ({ client }) => client.call(named("update"), {} as never),
            "a document of another name": async (w) => {
              await add(of.text(own("named")), { update: true }, w);
              return w.client.call(named("update"), {
                name: own("named"),
                document: of.text(own("renamed")),
              });
            },
          },
          EntryNotFound: {
            "a name that nobody has registered": {
              reason,
              attempt: ({ client }) => client.call(named("update"), { document: of.text(own("never")) }),
            },
          },
          InvalidState: {
            "a revision that is gone": {
              reason: "REVISION_MISMATCH",
              attempt: async (w) => {
                await add(of.text(own("stale")), { update: true }, w);
                return w.client.call(named("update"), {
                  document: of.text(own("stale")),
                  revision: "sha256:0",
                });
              },
            },
          },
          Forbidden: {
            "a caller who may only read": (w) => readers(w).call(named("update"), { document: "" }),
          },
        });
      });
    },

    remove() {
      describe(named("remove"), () => {
        test("forgets it, and the name is free", async () => {
          const { client } = world();
          await add(of.text(own("removed")));
          expect(await client.call(named("remove"), { name: own("removed") })).toEqual({
            name: own("removed"),
            removed: true,
            also_removed: [],
          });
          await expect(client.call(named("show"), { name: own("removed") })).rejects.toMatchObject({
            reason,
          });
          await add(of.text(own("removed")));
        });

        if (of.used !== undefined) {
          const { used } = of;
          test("what is needed stays, and who needs it is said", async () => {
            await add(of.text(own("needed")));
            const who = await used(world(), own("needed"));
            const refused = await world()
              .client.call(named("remove"), { name: own("needed") })
              .catch((error: unknown) => error as RemoteError);
            expect(refused).toMatchObject({
              reason: "ENTRY_IN_USE",
              message: expect.stringContaining(`is used by ${who}`),
              data: { used_by: [who] },
            });
            await world().client.call(named("show"), { name: own("needed") });
          });
        }

        refusals(named("remove"), world, {
          InvalidParams: {
            "no name": ({ client }) => client.call(named("remove"), {} as never),
          },
          EntryNotFound: {
            "a name that nobody has registered": {
              reason,
              attempt: ({ client }) => client.call(named("remove"), { name: "nope/nope" }),
            },
          },
          InvalidState: {
            "a revision that is gone": {
              reason: "REVISION_MISMATCH",
              attempt: async (w) => {
                await add(of.text(own("kept")), { update: true }, w);
                return w.client.call(named("remove"), { name: own("kept"), revision: "sha256:0" });
              },
            },
          },
          Forbidden: {
            "a caller who may only read": (w) => readers(w).call(named("remove"), { name: "x" }),
          },
        });
      });
    },
  };
  for (const verb of verbs) blocks[verb]();
}
