import type { RemoteError } from "@cleveragents/protocol";
import { describe, expect, test } from "vitest";
import type { World } from "../../world/world.ts";
import { stringifyYaml } from "./yaml-text.ts";

const EVERYTHING = `
name: written/all
description: says much
long_description: more
definition_of_done:
  - it was said
  - { text: the tests pass, command: "true" }
arguments:
  - { name: target, type: integer, required: true, description: how much }
  - { name: mode, default: fast }
automation_profile: trusted
budget: { tool_calls: 5 }
sandbox: { network: false, limits: { memory: 64 } }
invariants: [Signatures stay, { text: no vendored code, paths: { deny: [vendor] } }]
script:
  decisions:
    - id: way
      question: Which way?
      alternatives: [{ id: left, description: l }, { id: right, description: r }]
      choose: [{ when: "args.target > 1", choice: left, confidence: 0.4 }, { choice: right }]
  steps:
    - { run: { command: [npm, test], expect: any, env: { A: b } }, name: tested, when: "args.target > 0" }
    - { call: { tool: builtin/read_file, arguments: { path: a } } }
    - decide: { id: later, question: And?, choose: [{ choice: on }] }
    - { edit: { path: a, find: x, replace: "{{ args.mode }}" } }
`;

/** Documents are shown as people write them, whatever has been made of them inside. */
export function writtenDocuments(world: () => World): void {
  const { parse, stringify } = JSON;
  describe("documents of actions, actors and projects", () => {
    test("are added again as they are shown, and are the same", async () => {
      const { client, repository } = world();
      const action = await client.call("_cleveragents/registry/action/add", { document: EVERYTHING });
      const again = await client.call("_cleveragents/registry/action/add", {
        document: stringifyYaml(parse(stringify(action.action))),
        update: true,
      });
      expect(again.action).toEqual(action.action);
      expect(again.revision).toBe(action.revision);
      expect(action.action).toMatchObject({ script: { steps: [{ name: "tested" }, { call: {} }, {}, {}] } });

      const body = EVERYTHING.slice(EVERYTHING.indexOf("script:"));
      const actor = await client.call("_cleveragents/registry/actor/add", {
        document: `name: written/actor\ntype: script\ndescription: acts\n${body}`,
      });
      expect(
        await client.call("_cleveragents/registry/actor/add", {
          document: stringify(actor.actor),
          update: true,
        }),
      ).toEqual(actor);

      const project = await client.call("_cleveragents/registry/project/add", {
        document: `name: written/project\npath: ${repository.root}\nautomation_profile: trusted\n`,
      });
      expect(
        await client.call("_cleveragents/registry/project/update", { document: stringify(project.project) }),
      ).toMatchObject({ revision: project.revision, project: project.project });
    });
  });
}

/** What the documents of tools and skills may and may not say. */
export function toolDocuments(world: () => World): void {
  const add = (document: string) =>
    world().client.call("_cleveragents/registry/tool/add", { document, file: "tool.yaml" });
  const problems = async (call: Promise<unknown>) => {
    const refused = (await call.catch((error: unknown) => error)) as RemoteError;
    return (refused.violations as readonly { line?: number; description: string }[]).map(
      ({ line, description }) => `${line}: ${description}`,
    );
  };

  describe("documents of tools and skills", () => {
    test("slots and capabilities are read in each of their forms, and kept in one", async () => {
      const { tool, ...shown } = await add(
        [
          "name: forms/one",
          "description: x",
          "command: [echo]",
          "resource_slots: [{ name: repo, type: git-checkout, access: read_write }]",
          "capability: { writes: false, idempotent: true }",
        ].join("\n"),
      );
      expect(tool).toMatchObject({
        resources: { repo: { type: "git-checkout", access: "read_write", required: true } },
        writes: false,
        idempotent: true,
      });
      expect(shown).toMatchObject({ source: "custom", read_only: true, idempotent: true, effect: "none" });
    });

    test("what it does beyond the copy makes a tool irreversible", async () => {
      expect(
        await add("name: forms/mail\ndescription: x\ncommand: [mail]\nside_effects: [sends a mail]\n"),
      ).toMatchObject({ effect: "irreversible", read_only: false });
    });

    test.each([
      ["code", "code: print(1)", /5: .*code is not run here/],
      ["another source", "source: mcp", /5: .*only custom tools/],
      ["an argument for the shell", 'command: "wc {{ args.path }}"', /a shell could read an argument/],
      ["an argument that is not declared", 'command: [wc, "{{ args.nope }}"]', /there is no argument "nope"/],
      ["a schema that is none", "input_schema: { type: object, properties: 5 }", /not a usable JSON Schema/],
      [
        "two arguments in one variable",
        "input_schema: { type: object, properties: { a-b: {}, a_b: {} } }",
        /ARG_A_B/,
      ],
      ["read_only and writes", "read_only: true\nwrites: true", /read_only/],
    ])("%s is refused", async (_, line, expected) => {
      const command = line.startsWith("command") ? "" : "command: [echo]\n";
      const text = `name: forms/bad\ndescription: x\n${command}\n${line}\n`;
      const found = await problems(add(text));
      expect(found.join("\n")).toMatch(new RegExp(expected.source.replace(/^5/, "\\d")));
    });

    test("skills that include each other in a circle are refused, and the circle is named", async () => {
      const skill = (name: string, includes: string, update = false) =>
        world().client.call("_cleveragents/registry/skill/add", {
          document: `name: circle/${name}\ntools: [builtin/read_file]\nincludes:\n  - ${includes}\n`,
          file: "skill.yaml",
          update,
        });
      const first = "name: circle/a\ntools: [builtin/read_file]\n";
      await world().client.call("_cleveragents/registry/skill/add", { document: first });
      await skill("b", "circle/a");
      await skill("c", "circle/b");
      expect(await problems(skill("a", "circle/c", true))).toEqual([
        "4: leads in a circle: circle/a → circle/c → circle/b → circle/a",
      ]);
      expect(await problems(skill("self", "circle/self"))).toEqual([
        "4: leads in a circle: circle/self → circle/self",
      ]);
    });

    test("types of resources that inherit from each other in a circle are refused", async () => {
      const type = (name: string, inherits: string, update = false) =>
        world().client.call("_cleveragents/registry/resource_type/add", {
          document: `name: circle/${name}\ninherits: ${inherits}\n`,
          update,
        });
      await type("x", "fs-directory");
      await type("y", "circle/x");
      await expect(type("x", "circle/y", true)).rejects.toMatchObject({ reason: "DOCUMENT_INVALID" });
    });
  });
}
