import type { ParamsInputOf, RemoteError } from "@cleveragents/protocol";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createRepository } from "../world/repository.ts";
import type { OpenWorld, World } from "../world/world.ts";
import { aTime } from "./matchers.ts";
import { refusals } from "./refusals.ts";

const SCRIPT = "script: { steps: [{ say: { text: hello } }] }";
const actorText = (name: string) => `name: ${name}\ntype: script\ndescription: Says hello\n${SCRIPT}\n`;
const actionText = (name: string, body = SCRIPT) =>
  `name: ${name}\ndescription: Says hello\ndefinition_of_done: it was said\n${body}\n`;
const script = { decisions: [], steps: [{ say: { text: "hello" } }] };
const revision = expect.stringMatching(/^sha256:[0-9a-f]{64}$/);

const actionItem = (name: string, more: object = {}) => ({
  name,
  description: "Says hello",
  state: "available",
  strategy_actor: null,
  execution_actor: null,
  reusable: true,
  created_at: aTime,
  updated_at: aTime,
  ...more,
});
const actorItem = (name: string, source: "custom" | "action") => ({
  name,
  type: "script",
  description: "Says hello",
  source,
});

/** What plans are made from. Each method has a namespace of its own here, since entries are everybody's. */
export function registryContract(open: OpenWorld): void {
  let shared: World;
  beforeAll(async () => {
    shared = await open({ bare: true });
  });
  afterAll(() => shared[Symbol.asyncDispose]());
  const world = () => shared;

  type Add = "_cleveragents/registry/action/add" | "_cleveragents/registry/actor/add";
  const add = (method: Add, document: string, more: Partial<ParamsInputOf<Add>> = {}, w = world()) =>
    w.client.call(method, { document, ...more });

  actionTests(world, (document, more, w) => add("_cleveragents/registry/action/add", document, more, w));
  actorTests(world, (document, more, w) => add("_cleveragents/registry/actor/add", document, more, w));
  projectTests(world);

  describe("_cleveragents/registry/tool/list", () => {
    test("shows the builtin tools with what they leave behind", async () => {
      const { tools, total, next_page_token } = await world().client.call(
        "_cleveragents/registry/tool/list",
        { namespace: "builtin" },
      );
      expect({ total, next_page_token }).toEqual({ total: tools.length, next_page_token: "" });
      const names = [
        "ask",
        "chmod_file",
        "delete_file",
        "edit_file",
        "fetch",
        "git_blame",
        "git_diff",
        "git_log",
        "git_show",
        "git_status",
        "list_files",
        "read_file",
        "rename_file",
        "search_files",
        "shell",
        "subplan",
        "symlink",
        "write_file",
      ];
      expect(tools.map(({ name }) => name)).toEqual(names.map((name) => `builtin/${name}`));
      expect(tools.find(({ name }) => name === "builtin/shell")).toEqual({
        name: "builtin/shell",
        description: expect.any(String),
        source: "builtin",
        read_only: false,
        writes: true,
        idempotent: false,
        effect: "sandbox",
      });
    });

    refusals("_cleveragents/registry/tool/list", world, {
      InvalidParams: {
        "a page of none": ({ client }) => client.call("_cleveragents/registry/tool/list", { page_size: 0 }),
        "a token that is not ours": ({ client }) =>
          client.call("_cleveragents/registry/tool/list", { page_token: "nope" }),
      },
      Forbidden: {
        "a caller without registry:read": (w) =>
          w.as("writer", ["registry:write"]).client.call("_cleveragents/registry/tool/list", {}),
      },
    });
  });
}

type AddDocument<R = unknown> = (
  document: string,
  more?: { update?: boolean; file?: string },
  world?: World,
) => Promise<R>;

function actionTests(world: () => World, add: AddDocument): void {
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

function actorTests(world: () => World, add: AddDocument): void {
  describe("_cleveragents/registry/actor/add", () => {
    test("registers a script actor, which actions can name", async () => {
      const added = await add(actorText("acting/helper"));
      const actor = { name: "acting/helper", type: "script", description: "Says hello", script };
      expect(added).toEqual({ ...actorItem("acting/helper", "custom"), actor, revision });
      expect(
        await world().client.call("_cleveragents/registry/actor/show", { name: "acting/helper" }),
      ).toEqual(added);
      const document = actionText("acting/by-actor", "execution_actor: acting/helper");
      expect(await world().client.call("_cleveragents/registry/action/add", { document })).toMatchObject({
        execution_actor: "acting/helper",
      });
    });

    refusals("_cleveragents/registry/actor/add", world, {
      InvalidParams: {
        "no document": (w) => w.client.call("_cleveragents/registry/actor/add", {} as never),
        "an actor of another type": {
          reason: "DOCUMENT_INVALID",
          attempt: (w) => add(actorText("acting/llm").replace("script\n", "llm\n"), {}, w),
        },
      },
      AlreadyExists: {
        "a name that is taken": async (w) => {
          await add(actorText("acting/twice"), { update: true }, w);
          return add(actorText("acting/twice"), {}, w);
        },
      },
      Forbidden: {
        "a caller who may only read": (w) =>
          w.as("reader", ["registry:read"]).client.call("_cleveragents/registry/actor/add", { document: "" }),
      },
    });
  });

  describe("_cleveragents/registry/actor/show", () => {
    refusals("_cleveragents/registry/actor/show", world, {
      InvalidParams: {
        "no name": ({ client }) => client.call("_cleveragents/registry/actor/show", {} as never),
      },
      EntryNotFound: {
        "an unknown actor": {
          reason: "ACTOR_NOT_FOUND",
          attempt: ({ client }) => client.call("_cleveragents/registry/actor/show", { name: "nope" }),
        },
      },
      Forbidden: {
        "a caller without registry:read": (w) =>
          w.as("writer", ["registry:write"]).client.call("_cleveragents/registry/actor/show", { name: "x" }),
      },
    });
  });

  describe("_cleveragents/registry/actor/list", () => {
    test("shows registered actors, and the scripts that actions carry in themselves", async () => {
      await add(actorText("actors/b"));
      await world().client.call("_cleveragents/registry/action/add", { document: actionText("actors/a") });
      expect(await world().client.call("_cleveragents/registry/actor/list", { namespace: "actors" })).toEqual(
        {
          actors: [actorItem("actors/a", "action"), actorItem("actors/b", "custom")],
          total: 2,
          next_page_token: "",
        },
      );
    });

    test("every actor of the list can be shown", async () => {
      const { client } = world();
      await client.call("_cleveragents/registry/action/add", {
        document: actionText("actors/shown"),
        update: true,
      });
      const { actors } = await client.call("_cleveragents/registry/actor/list", { namespace: "actors" });
      for (const actor of actors)
        expect(await client.call("_cleveragents/registry/actor/show", { name: actor.name })).toMatchObject(
          actor,
        );
    });

    refusals("_cleveragents/registry/actor/list", world, {
      InvalidParams: {
        "a page of none": ({ client }) => client.call("_cleveragents/registry/actor/list", { page_size: 0 }),
      },
      Forbidden: {
        "a caller without registry:read": (w) =>
          w.as("writer", ["registry:write"]).client.call("_cleveragents/registry/actor/list", {}),
      },
    });
  });
}

function projectTests(world: () => World): void {
  describe("_cleveragents/registry/project/add", () => {
    test("registers a folder by the root of its work tree, with what a user should know of it", async () => {
      const { client, repository } = world();
      await repository.write("below/here.txt", "x\n");
      const added = await client.call("_cleveragents/registry/project/add", {
        name: "projects/first",
        path: `${repository.root}/below`,
        description: "The first",
        automation_profile: "trusted",
      });
      const head = (await repository.git("rev-parse", "HEAD")).trim();
      expect(added).toEqual({
        name: "projects/first",
        path: repository.root,
        description: "The first",
        automation_profile: "trusted",
        created_at: aTime,
        kind: "git",
        branch: "main",
        head,
        warnings: [
          expect.stringMatching(/below is a folder of a repository: the project is the whole of it/),
        ],
        resources: [],
        revision,
        project: {
          name: "projects/first",
          path: repository.root,
          description: "The first",
          automation_profile: "trusted",
        },
      });
      expect(await client.call("_cleveragents/registry/project/show", { name: "projects/first" })).toEqual({
        ...added,
        warnings: [],
      });
    });

    test("tells of dev containers that the folder describes, none of which is started", async () => {
      const { client, repository } = world();
      await repository.write(".devcontainer/devcontainer.json", '{ "name": "Main" } // a comment');
      await repository.write(".devcontainer/broken/devcontainer.json", "{");
      const { resources } = await client.call("_cleveragents/registry/project/add", {
        name: "projects/contained",
        path: repository.root,
      });
      const found = { type: "devcontainer-instance", state: "discovered" };
      expect(resources).toEqual([
        { ...found, name: "devcontainer:default", path: ".devcontainer/devcontainer.json", title: "Main" },
        {
          ...found,
          name: "devcontainer:broken",
          path: ".devcontainer/broken/devcontainer.json",
          unusable: expect.stringContaining("is no JSON"),
        },
      ]);
      await repository.remove(".devcontainer");
    });

    refusals("_cleveragents/registry/project/add", world, {
      InvalidParams: {
        "no path": ({ client }) => client.call("_cleveragents/registry/project/add", { name: "x" } as never),
        "a name that is none": ({ client, repository }) =>
          client.call("_cleveragents/registry/project/add", { name: "two words", path: repository.root }),
        "a profile that is none": ({ client, repository }) =>
          client.call("_cleveragents/registry/project/add", {
            name: "x",
            path: repository.root,
            automation_profile: "yolo",
          }),
      },
      EntryNotFound: {
        "a resource that nobody registered": {
          reason: "RESOURCE_NOT_FOUND",
          attempt: ({ client, repository }) =>
            client.call("_cleveragents/registry/project/add", {
              name: "x",
              path: repository.root,
              linked_resources: ["nope"],
            }),
        },
      },
      AlreadyExists: {
        "a name that is taken": async ({ client, repository }) => {
          const params = { name: "projects/twice", path: repository.root };
          await client.call("_cleveragents/registry/project/add", params);
          return client.call("_cleveragents/registry/project/add", params);
        },
      },
      WorkspaceUnusable: {
        "a folder that is not there": {
          reason: "PATH_NOT_FOUND",
          attempt: ({ client }) =>
            client.call("_cleveragents/registry/project/add", { name: "x", path: "/nope/nowhere" }),
        },
        "the root of the file system": {
          reason: "FORBIDDEN_PATH",
          attempt: ({ client }) =>
            client.call("_cleveragents/registry/project/add", { name: "x", path: "/" }),
        },
        "a file": {
          reason: "NOT_A_DIRECTORY",
          attempt: async ({ client, repository }) => {
            await repository.write("file.txt", "x\n");
            return client.call("_cleveragents/registry/project/add", {
              name: "x",
              path: `${repository.root}/file.txt`,
            });
          },
        },
      },
      Forbidden: {
        "a caller who may only read": (w) =>
          w
            .as("reader", ["registry:read"])
            .client.call("_cleveragents/registry/project/add", { name: "x", path: "/" }),
      },
    });
  });

  describe("_cleveragents/registry/project/show", () => {
    refusals("_cleveragents/registry/project/show", world, {
      InvalidParams: {
        "no name": ({ client }) => client.call("_cleveragents/registry/project/show", {} as never),
      },
      EntryNotFound: {
        "an unknown project": {
          reason: "PROJECT_NOT_FOUND",
          attempt: ({ client }) => client.call("_cleveragents/registry/project/show", { name: "nope" }),
        },
      },
      WorkspaceUnusable: {
        "a project whose folder is gone": {
          reason: "PATH_NOT_FOUND",
          attempt: async ({ client }) => {
            const gone = await createRepository("plain");
            await client.call("_cleveragents/registry/project/add", {
              name: "projects/gone",
              path: gone.root,
            });
            await gone[Symbol.asyncDispose]();
            return client.call("_cleveragents/registry/project/show", { name: "projects/gone" });
          },
        },
      },
      Forbidden: {
        "a caller without registry:read": (w) =>
          w
            .as("writer", ["registry:write"])
            .client.call("_cleveragents/registry/project/show", { name: "x" }),
      },
    });
  });

  describe("_cleveragents/registry/project/list", () => {
    test("shows a namespace without looking at the folders", async () => {
      const { client, repository } = world();
      for (const name of ["shelf/b", "shelf/a"])
        await client.call("_cleveragents/registry/project/add", { name, path: repository.root });
      const projects = ["shelf/a", "shelf/b"].map((name) => ({
        name,
        path: repository.root,
        created_at: aTime,
      }));
      expect(await client.call("_cleveragents/registry/project/list", { namespace: "shelf" })).toEqual({
        projects,
        total: 2,
        next_page_token: "",
      });
    });

    refusals("_cleveragents/registry/project/list", world, {
      InvalidParams: {
        "a page of none": ({ client }) =>
          client.call("_cleveragents/registry/project/list", { page_size: 0 }),
      },
      Forbidden: {
        "a caller without registry:read": (w) =>
          w.as("writer", ["registry:write"]).client.call("_cleveragents/registry/project/list", {}),
      },
    });
  });
}
