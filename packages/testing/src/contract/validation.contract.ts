import type { RemoteError } from "@cleveragents/protocol";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { OpenWorld, World } from "../world/world.ts";
import { aTime } from "./matchers.ts";
import { refusals } from "./refusals.ts";

const validationText = (name: string, body = "command: test -f done.txt") =>
  `name: ${name}\ndescription: It is done\n${body}\n`;

/** What plans are checked by. What becomes of a plan then is the product's own test. Each method has its own names. */
export function validationContract(open: OpenWorld): void {
  let shared: World;
  beforeAll(async () => {
    shared = await open();
  });
  afterAll(() => shared[Symbol.asyncDispose]());
  const world = () => shared;
  const add = (document: string, more: { update?: boolean; file?: string } = {}, w = world()) =>
    w.client.call("_cleveragents/registry/validation/add", { document, ...more });
  const attach = (validation: string, to: object = { project: "demo" }, w = world()) =>
    w.client.call("_cleveragents/registry/validation/attach", { validation, ...to });

  describe("_cleveragents/registry/validation/list", () => {
    test("shows a namespace by name, page by page", async () => {
      for (const name of ["listed/b", "listed/a"]) await add(validationText(name));
      const list = (params: object) =>
        world().client.call("_cleveragents/registry/validation/list", { namespace: "listed", ...params });
      const first = await list({ page_size: 1 });
      expect(first).toEqual({
        validations: [
          {
            name: "listed/a",
            description: "It is done",
            mode: "required",
            kind: "command",
            attachments: 0,
            created_at: aTime,
            updated_at: aTime,
          },
        ],
        total: 2,
        next_page_token: expect.stringMatching(/./),
      });
      expect(await list({ page_token: first.next_page_token })).toMatchObject({
        validations: [{ name: "listed/b" }],
        next_page_token: "",
      });
    });

    refusals("_cleveragents/registry/validation/list", world, {
      InvalidParams: {
        "a page of none": ({ client }) =>
          client.call("_cleveragents/registry/validation/list", { page_size: 0 }),
      },
      Forbidden: {
        "a caller without registry:read": (w) =>
          w.as("writer", ["registry:write"]).client.call("_cleveragents/registry/validation/list", {}),
      },
    });
  });

  describe("_cleveragents/registry/validation/show", () => {
    refusals("_cleveragents/registry/validation/show", world, {
      InvalidParams: {
        "no name": ({ client }) => client.call("_cleveragents/registry/validation/show", {} as never),
      },
      EntryNotFound: {
        "a validation that nobody registered": {
          reason: "VALIDATION_NOT_FOUND",
          attempt: ({ client }) => client.call("_cleveragents/registry/validation/show", { name: "nope" }),
        },
      },
      Forbidden: {
        "a caller without registry:read": (w) =>
          w
            .as("writer", ["registry:write"])
            .client.call("_cleveragents/registry/validation/show", { name: "x" }),
      },
    });
  });

  describe("_cleveragents/registry/validation/add", () => {
    test("registers one under its full name, in either way of saying the mode", async () => {
      const added = await add(
        validationText(
          "told",
          "mode: informational\nwraps: builtin/read_file\ninput: { path: README.md }\ntransform: output.size > 0",
        ),
      );
      expect(added).toMatchObject({
        name: "local/told",
        mode: "informational",
        kind: "tool",
        attached_to: [],
        validation: { wraps: "builtin/read_file", transform: "output.size > 0" },
      });
      expect(await world().client.call("_cleveragents/registry/validation/show", { name: "told" })).toEqual(
        added,
      );
      const nested = await add(
        `validation: { name: adding/nested, description: x, validation: { mode: informational }, check: 'true' }`,
      );
      expect(nested).toMatchObject({ name: "adding/nested", mode: "informational", kind: "check" });
    });

    test("every mistake of a document is told, with its place", async () => {
      const document = validationText(
        "adding/bad",
        "mode: sometimes\nwrites: true\ncode: return True\noutput_schema: { properties: { ok: { type: boolean } } }",
      );
      const refused = await add(document, { file: "mine.yaml" }).catch((error: unknown) => error);
      const violations = (refused as RemoteError).violations as readonly { line?: number; file?: string }[];
      expect([...new Set(violations.map(({ line }) => line))].sort()).toEqual([3, 4, 5]);
      expect(new Set(violations.map(({ file }) => file))).toEqual(new Set(["mine.yaml"]));
    });

    const invalid = (document: string) => ({
      reason: "DOCUMENT_INVALID",
      attempt: (w: World) => add(document, {}, w),
    });
    refusals("_cleveragents/registry/validation/add", world, {
      InvalidParams: {
        "no document": ({ client }) => client.call("_cleveragents/registry/validation/add", {} as never),
        "one that finds out nothing": invalid(validationText("adding/none", "")),
        "one with two ways": invalid(validationText("adding/two", "command: x\ncheck: 'true'")),
        "an answer without passed": invalid(
          validationText(
            "adding/answer",
            "command: x\noutput_schema: { properties: { ok: { type: boolean } } }",
          ),
        ),
        "an expression that cannot be read": invalid(validationText("adding/cel", "check: 1 +")),
        "a tool that nobody has": invalid(validationText("adding/tool", "wraps: builtin/nope")),
        "a tool that changes files": invalid(validationText("adding/writes", "wraps: builtin/write_file")),
      },
      AlreadyExists: {
        "a name that is taken": async (w) => {
          await add(validationText("adding/twice"), { update: true }, w);
          return add(validationText("adding/twice"), {}, w);
        },
      },
      Forbidden: {
        "a caller who may only read": (w) =>
          w
            .as("reader", ["registry:read"])
            .client.call("_cleveragents/registry/validation/add", { document: "" }),
      },
    });
  });

  describe("_cleveragents/registry/validation/remove", () => {
    test("forgets it", async () => {
      await add(validationText("removing/first"));
      const { client } = world();
      expect(
        await client.call("_cleveragents/registry/validation/remove", { name: "removing/first" }),
      ).toEqual({ name: "removing/first", removed: true, also_removed: [] });
    });

    test("takes its attachments with it by force", async () => {
      const { client } = world();
      await add(validationText("removing/forced"));
      await attach("removing/forced", { action: "idle" });
      expect(
        await client.call("_cleveragents/registry/validation/remove", {
          name: "removing/forced",
          force: true,
        }),
      ).toMatchObject({ removed: true, also_removed: ["its attachment to the action local/idle"] });
    });

    refusals("_cleveragents/registry/validation/remove", world, {
      InvalidParams: {
        "no name": ({ client }) => client.call("_cleveragents/registry/validation/remove", {} as never),
      },
      EntryNotFound: {
        "a validation that nobody registered": {
          reason: "VALIDATION_NOT_FOUND",
          attempt: ({ client }) => client.call("_cleveragents/registry/validation/remove", { name: "nope" }),
        },
      },
      InvalidState: {
        "one that is attached": {
          reason: "ENTRY_IN_USE",
          attempt: async (w) => {
            await add(validationText("removing/attached"), { update: true }, w);
            await attach("removing/attached", { action: "touch" }, w).catch(() => undefined);
            return w.client.call("_cleveragents/registry/validation/remove", { name: "removing/attached" });
          },
        },
      },
      Forbidden: {
        "a caller who may only read": (w) =>
          w
            .as("reader", ["registry:read"])
            .client.call("_cleveragents/registry/validation/remove", { name: "x" }),
      },
    });
  });

  describe("_cleveragents/registry/validation/attach", () => {
    test("is for a project or an action, and shown with the validation", async () => {
      await add(validationText("attaching/first"));
      const attached = await attach("attaching/first", { action: "idle", mode: "informational" });
      expect(attached).toEqual({
        attachment_id: expect.stringMatching(/^att_/),
        validation: "attaching/first",
        mode: "informational",
        scope: "action",
        target: "local/idle",
        created_at: aTime,
      });
      const { created_at: _, ...shown } = attached;
      expect(
        await world().client.call("_cleveragents/registry/validation/show", { name: "attaching/first" }),
      ).toMatchObject({ attachments: 1, attached_to: [shown] });
    });

    refusals("_cleveragents/registry/validation/attach", world, {
      InvalidParams: {
        "no validation": ({ client }) => client.call("_cleveragents/registry/validation/attach", {} as never),
        "nothing to attach it to": async (w) => {
          await add(validationText("attaching/to-nothing"), { update: true }, w);
          return attach("attaching/to-nothing", {}, w);
        },
        "two things at once": (w) => attach("attaching/first", { project: "demo", action: "idle" }, w),
      },
      EntryNotFound: {
        "a validation that nobody registered": {
          reason: "VALIDATION_NOT_FOUND",
          attempt: (w) => attach("nope", { project: "demo" }, w),
        },
        "an action that nobody registered": {
          reason: "ACTION_NOT_FOUND",
          attempt: async (w) => {
            await add(validationText("attaching/to-nobody"), { update: true }, w);
            return attach("attaching/to-nobody", { action: "nope" }, w);
          },
        },
      },
      InvalidState: {
        "the same twice": async (w) => {
          await add(validationText("attaching/twice"), { update: true }, w);
          await attach("attaching/twice", { action: "idle" }, w).catch(() => undefined);
          return attach("attaching/twice", { action: "idle" }, w);
        },
      },
      Forbidden: {
        "a caller who may only read": (w) =>
          w.as("reader", ["registry:read"]).client.call("_cleveragents/registry/validation/attach", {
            validation: "x",
            project: "demo",
          }),
      },
    });
  });

  describe("_cleveragents/registry/validation/detach", () => {
    test("ends an attachment", async () => {
      await add(validationText("detaching/first"));
      const { attachment_id } = await attach("detaching/first", { action: "idle" });
      const { client } = world();
      expect(await client.call("_cleveragents/registry/validation/detach", { attachment_id })).toEqual({
        attachment_id,
        detached: true,
      });
      expect(
        await client.call("_cleveragents/registry/validation/show", { name: "detaching/first" }),
      ).toMatchObject({ attached_to: [] });
    });

    refusals("_cleveragents/registry/validation/detach", world, {
      InvalidParams: {
        "no attachment": ({ client }) => client.call("_cleveragents/registry/validation/detach", {} as never),
      },
      EntryNotFound: {
        "an attachment that is none": {
          reason: "ATTACHMENT_NOT_FOUND",
          attempt: ({ client }) =>
            client.call("_cleveragents/registry/validation/detach", { attachment_id: "att_nope" }),
        },
      },
      Forbidden: {
        "a caller who may only read": (w) =>
          w
            .as("reader", ["registry:read"])
            .client.call("_cleveragents/registry/validation/detach", { attachment_id: "att_nope" }),
      },
    });
  });
}
