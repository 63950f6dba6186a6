import type { RemoteError } from "@cleveragents/protocol";
import { describe, expect, test } from "vitest";
import type { World } from "../../world/world.ts";
import { refusals } from "../refusals.ts";
import { type AddDocument, actionItem, actionText, revision, SCRIPT, script } from "./fixtures.ts";

export function actionTests(world: () => World, add: AddDocument): void {
  describe("_cleveragents/registry/action/add", () => {
    test("registers an action under its full name, defaults filled in", async () => {
      const added = await add(actionText("adding/first"));
      const action = {
        name: "adding/first",
        description: "Says hello",
        definition_of_done: "it was said",
        reusable: true,
        read_only: false,
        state: "available",
        arguments: [],
        invariants: [],
        script,
      };
      expect(added).toEqual({ ...actionItem("adding/first"), action, revision });
      expect(
        await world().client.call("_cleveragents/registry/action/show", { name: "adding/first" }),
      ).toEqual(added);
      expect(await add(actionText("bare-name"))).toMatchObject({ name: "local/bare-name" });
    });

    test("reads JSON too, and a document in its wrapper", async () => {
      const body = {
        name: "adding/json",
        description: "Says hello",
        definition_of_done: "it was said",
        script: { steps: [] },
      };
      expect(await add(JSON.stringify(body))).toMatchObject({ name: "adding/json" });
      expect(
        await add(JSON.stringify({ cleveragents: "1.0", action: { ...body, name: "adding/wrapped" } })),
      ).toMatchObject({ name: "adding/wrapped" });
    });

    test("update replaces it, and adds it where it is new", async () => {
      const update = true;
      expect(await add(actionText("adding/updated"), { update })).toMatchObject({ reusable: true });
      expect(await add(actionText("adding/updated", `reusable: false\n${SCRIPT}`), { update })).toMatchObject(
        { reusable: false },
      );
    });

    test("every mistake of a document is told, with its place", async () => {
      const text =
        "name: two words\ndescription: x\ndefinition_of_done: y\nscript:\n  steps:\n    - say: {}\n    - fly: now\n";
      const refused = await world()
        .client.call("_cleveragents/registry/action/add", { document: text, file: "mine.yaml" })
        .catch((error: unknown) => error);
      const violations = (refused as RemoteError).violations as readonly { line?: number; file?: string }[];
      expect([...new Set(violations.map(({ line }) => line))]).toEqual([1, 6, 7]);
      expect(new Set(violations.map(({ file }) => file))).toEqual(new Set(["mine.yaml"]));
    });

    const invalid = (document: string) => ({
      reason: "DOCUMENT_INVALID",
      attempt: (w: World) => add(document, {}, w),
    });
    refusals("_cleveragents/registry/action/add", world, {
      InvalidParams: {
        "no document": (w) => w.client.call("_cleveragents/registry/action/add", {} as never),
        "an empty document": invalid(""),
        "text that is no YAML": invalid("name: [1"),
        "an action without script or actor": invalid(actionText("adding/none", "")),
        "an expression that cannot be read": invalid(
          actionText("adding/broken", 'script: { steps: [{ say: { text: "{{ 1 + }}" } }] }'),
        ),
        "a condition that cannot be read": invalid(
          actionText("adding/broken", 'script: { steps: [{ when: "1 +", say: { text: x } }] }'),
        ),
        "a profile that is none": (w) =>
          add(actionText("adding/profile", `automation_profile: yolo\n${SCRIPT}`), {}, w),
      },
      EntryNotFound: {
        "an actor that nobody registered": {
          reason: "ACTOR_NOT_FOUND",
          attempt: (w) => add(actionText("adding/orphan", "execution_actor: nope"), {}, w),
        },
      },
      AlreadyExists: {
        "a name that is taken": async (w) => {
          await add(actionText("adding/twice"), { update: true }, w);
          return add(actionText("adding/twice"), {}, w);
        },
      },
      Forbidden: {
        "a caller who may only read": (w) =>
          w
            .as("reader", ["registry:read"])
            .client.call("_cleveragents/registry/action/add", { document: "" }),
      },
    });
  });

  describe("_cleveragents/registry/action/show", () => {
    refusals("_cleveragents/registry/action/show", world, {
      InvalidParams: {
        "no name": ({ client }) => client.call("_cleveragents/registry/action/show", {} as never),
        "a name that is none": ({ client }) =>
          client.call("_cleveragents/registry/action/show", { name: "two words" }),
      },
      EntryNotFound: {
        "an unknown action": {
          reason: "ACTION_NOT_FOUND",
          attempt: ({ client }) => client.call("_cleveragents/registry/action/show", { name: "nope" }),
        },
      },
      Forbidden: {
        "a caller without registry:read": (w) =>
          w.as("writer", ["registry:write"]).client.call("_cleveragents/registry/action/show", { name: "x" }),
      },
    });
  });

  describe("_cleveragents/registry/action/archive", () => {
    test("lets no more plans be made of it, whoever asks, and the document of before makes it available again", async () => {
      const { client } = world();
      const { name, revision: first } = (await add(actionText("archived/one"))) as {
        name: string;
        revision: string;
      };
      const archived = await client.call("_cleveragents/registry/action/archive", { name, revision: first });
      expect(archived).toMatchObject({ name, state: "archived", action: { state: "archived" } });
      expect(await client.call("_cleveragents/registry/action/archive", { name })).toMatchObject({
        state: "archived",
      });
      await expect(
        client.call("_cleveragents/plan/use", { action_name: name, project: "nobody" }),
      ).rejects.toMatchObject({ reason: "INVALID_STATE" });
      const document = actionText("archived/one");
      expect(await client.call("_cleveragents/registry/action/update", { document })).toMatchObject({
        state: "available",
      });
    });

    refusals("_cleveragents/registry/action/archive", world, {
      InvalidParams: {
        "a name that is none": ({ client }) =>
          client.call("_cleveragents/registry/action/archive", { name: "two words" }),
      },
      EntryNotFound: {
        "an unknown action": {
          reason: "ACTION_NOT_FOUND",
          attempt: ({ client }) => client.call("_cleveragents/registry/action/archive", { name: "nope" }),
        },
      },
      InvalidState: {
        "a revision that it is not any more": {
          reason: "REVISION_MISMATCH",
          attempt: async ({ client }) => {
            await add(actionText("archived/other"));
            return await client.call("_cleveragents/registry/action/archive", {
              name: "archived/other",
              revision: `sha256:${"0".repeat(64)}`,
            });
          },
        },
      },
      Forbidden: {
        "a caller who may only read": (w) =>
          w
            .as("reader", ["registry:read"])
            .client.call("_cleveragents/registry/action/archive", { name: "archived/one" }),
      },
    });
  });

  describe("_cleveragents/registry/action/list", () => {
    test("shows a namespace by name, page by page", async () => {
      for (const name of ["listing/b", "listing/c", "listing/a"]) await add(actionText(name));
      const list = (params: object) =>
        world().client.call("_cleveragents/registry/action/list", { namespace: "listing", ...params });
      const actions = ["listing/a", "listing/b", "listing/c"].map((name) => actionItem(name));
      expect(await list({})).toEqual({ actions, total: 3, next_page_token: "" });
      const first = await list({ page_size: 2 });
      expect(first).toEqual({
        actions: actions.slice(0, 2),
        total: 3,
        next_page_token: expect.stringMatching(/./),
      });
      expect(await list({ page_size: 2, page_token: first.next_page_token })).toEqual({
        actions: actions.slice(2),
        total: 3,
        next_page_token: "",
      });
      expect(await list({ namespace: "empty" })).toEqual({ actions: [], total: 0, next_page_token: "" });
    });

    refusals("_cleveragents/registry/action/list", world, {
      InvalidParams: {
        "a page of none": ({ client }) => client.call("_cleveragents/registry/action/list", { page_size: 0 }),
        "a token that is not ours": ({ client }) =>
          client.call("_cleveragents/registry/action/list", { page_token: "nope" }),
      },
      Forbidden: {
        "a caller without registry:read": (w) =>
          w.as("writer", ["registry:write"]).client.call("_cleveragents/registry/action/list", {}),
      },
    });
  });
}
