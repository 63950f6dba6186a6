import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { OpenWorld, World } from "../world/world.ts";
import { refusals } from "./refusals.ts";

const DEPLOY = `---
name: deploy-to-staging
description: Deploys to staging.
allowed-tools: Bash(scripts/deploy.sh:*) Read Telepathy
---
# Deploy

## Steps

### 1. Deploy
\`\`\`bash
scripts/deploy.sh --env staging
\`\`\`

### 2. Look at it

## Definition of Done
- It answers
`;

/** What skills have beside what all registered things have. Names are each test's own. */
export function skillContract(open: OpenWorld): void {
  let shared: World;
  beforeAll(async () => {
    shared = await open();
    await shared.repository.write(".agents/skills/deploy-to-staging/SKILL.md", DEPLOY);
    await shared.repository.write(".agents/skills/deploy-to-staging/scripts/deploy.sh", "#!/bin/sh\n");
  });
  afterAll(() => shared[Symbol.asyncDispose]());
  const world = () => shared;
  const add = (document: string) =>
    world().client.call("_cleveragents/registry/skill/add", { document, file: "skill.yaml" });

  describe("_cleveragents/registry/skill/validate", () => {
    test("tells what is read from a SKILL.md, and what it costs a model", async () => {
      const params = { document: DEPLOY, folder: "deploy-to-staging" };
      expect(await world().client.call("_cleveragents/registry/skill/validate", params)).toEqual({
        valid: true,
        strict: false,
        name: "deploy-to-staging",
        version: "1.0.0",
        description: "Deploys to staging.",
        format: "frontmatter",
        steps: [
          { number: 1, title: "Deploy", commands: ["scripts/deploy.sh --env staging"] },
          { number: 2, title: "Look at it", commands: [] },
        ],
        definition_of_done: ["It answers"],
        allowed_tools: [
          { pattern: "Bash(scripts/deploy.sh:*)", tools: ["builtin/shell"] },
          { pattern: "Read", tools: ["builtin/read_file"] },
          { pattern: "Telepathy", tools: [] },
        ],
        resource_slots: [],
        tokens: { discover: expect.any(Number), activate: expect.any(Number) },
        diagnostics: [],
      });
    });

    test("is lenient with what others write, and strict where that is asked for", async () => {
      const { client } = world();
      const document = "---\nname: x\ndescription: Use when: testing\nversion: 1.0\n---\n";
      const lenient = await client.call("_cleveragents/registry/skill/validate", { document, folder: "y" });
      expect(lenient).toMatchObject({
        valid: true,
        version: "1.0",
        diagnostics: [
          { level: "warning", code: "yaml-repaired", line: 3 },
          { code: "name-folder" },
          { code: "unexpected-field" },
        ],
      });
      expect(
        await client.call("_cleveragents/registry/skill/validate", { document, folder: "y", strict: true }),
      ).toMatchObject({
        valid: false,
        strict: true,
        diagnostics: [{ level: "error", code: "yaml-invalid" }],
      });
      expect(
        await client.call("_cleveragents/registry/skill/validate", { document: "no skill", folder: "y" }),
      ).toMatchObject({ valid: false, steps: [], diagnostics: [{ level: "error", code: "not-a-skill" }] });
    });

    refusals("_cleveragents/registry/skill/validate", world, {
      InvalidParams: {
        "no document": ({ client }) =>
          client.call("_cleveragents/registry/skill/validate", { folder: "x" } as never),
      },
      Forbidden: {
        "a caller without registry:read": (w) =>
          w
            .as("writer", ["registry:write"])
            .client.call("_cleveragents/registry/skill/validate", { document: "", folder: "x" }),
      },
    });
  });

  describe("_cleveragents/registry/skill/tools", () => {
    test("flattens what a skill includes; of one name the first counts, and what is not there is told", async () => {
      await add("name: tools-base\ntools: [builtin/read_file, builtin/shell]\n");
      await add(
        "name: tools-more\nbuiltins: [{ group: directory_operations }]\ntools: [{ name: builtin/shell }]\nincludes: [tools-base]\nagent_skills: [/nowhere/at-all]\n",
      );
      const found = await world().client.call("_cleveragents/registry/skill/tools", { name: "tools-more" });
      expect(found).toMatchObject({
        skill: "local/tools-more",
        tools: expect.arrayContaining([
          {
            name: "builtin/shell",
            source: "builtin",
            from_skill: "local/tools-more",
            read_only: false,
            writes: true,
            checkpoint: true,
          },
          expect.objectContaining({ name: "builtin/list_files", from_skill: "local/tools-more" }),
          expect.objectContaining({
            name: "builtin/read_file",
            from_skill: "local/tools-base",
            read_only: true,
          }),
        ]),
        missing: [{ name: "/nowhere/at-all", from_skill: "local/tools-more" }],
      });
      const names = found.tools.map(({ name }) => name);
      expect(names).toEqual([...new Set(names)]);
      expect(found.summary).toMatchObject({ total: names.length, checkpointable: names.length });
    });

    test("of a project's own skill are its scripts and what it asks to use", async () => {
      const params = { name: "deploy-to-staging", project: "demo" };
      expect(await world().client.call("_cleveragents/registry/skill/tools", params)).toMatchObject({
        skill: "local/deploy-to-staging",
        tools: [
          { name: "deploy-to-staging/scripts/deploy.sh", source: "agent_skill", writes: true },
          { name: "builtin/shell" },
          { name: "builtin/read_file" },
        ],
        missing: [{ name: "Telepathy" }],
      });
      const { instructions } = await world().client.call("_cleveragents/registry/skill/show", {
        name: "deploy-to-staging",
      });
      expect(instructions).toBe(DEPLOY.slice(DEPLOY.indexOf("# Deploy")));
      const { skills } = await world().client.call("_cleveragents/registry/skill/list", {});
      expect(skills).toContainEqual(
        expect.objectContaining({ name: "local/deploy-to-staging", source: "discovered", version: "1.0.0" }),
      );
    });

    refusals("_cleveragents/registry/skill/tools", world, {
      InvalidParams: {
        "no name": ({ client }) => client.call("_cleveragents/registry/skill/tools", {} as never),
      },
      EntryNotFound: {
        "an unknown skill": {
          reason: "SKILL_NOT_FOUND",
          attempt: ({ client }) => client.call("_cleveragents/registry/skill/tools", { name: "nope" }),
        },
      },
      Forbidden: {
        "a caller without registry:read": (w) =>
          w
            .as("writer", ["registry:write"])
            .client.call("_cleveragents/registry/skill/tools", { name: "deploy-to-staging" }),
      },
    });
  });

  describe("_cleveragents/registry/skill/refresh", () => {
    test("tells what each skill has won and lost since the last time, and what it cannot be made of", async () => {
      const { client } = world();
      await add("name: refresh-me\ntools: [builtin/read_file]\n");
      await add("name: refresh-lost\nagent_skill_folders: [/nowhere/at-all]\n");
      const refresh = async (name: string) =>
        (await client.call("_cleveragents/registry/skill/refresh", { name })).skills;
      const of = (more: object) => [expect.objectContaining({ name: "local/refresh-me", ...more })];
      expect(await refresh("refresh-me")).toEqual(
        of({ status: "refreshed", tools: 1, added: [], removed: [] }),
      );
      expect(await refresh("local/refresh-me")).toEqual(of({ status: "unchanged" }));
      await client.call("_cleveragents/registry/skill/update", {
        document: "name: refresh-me\ntools: [builtin/shell]\n",
      });
      expect(await refresh("refresh-me")).toEqual(
        of({ status: "refreshed", added: ["builtin/shell"], removed: ["builtin/read_file"] }),
      );
      const { skills, diagnostics } = await client.call("_cleveragents/registry/skill/refresh", {});
      expect(skills).toContainEqual(
        expect.objectContaining({ name: "local/refresh-lost", status: "skipped" }),
      );
      expect(diagnostics).toContainEqual(
        expect.objectContaining({ folder: "/nowhere/at-all", code: "folder-missing" }),
      );
    });

    refusals("_cleveragents/registry/skill/refresh", world, {
      InvalidParams: {
        "an empty name": ({ client }) => client.call("_cleveragents/registry/skill/refresh", { name: "" }),
      },
      EntryNotFound: {
        "an unknown skill": {
          reason: "SKILL_NOT_FOUND",
          attempt: ({ client }) => client.call("_cleveragents/registry/skill/refresh", { name: "nope" }),
        },
      },
      Forbidden: {
        "a caller who may only read": (w) =>
          w.as("reader", ["registry:read"]).client.call("_cleveragents/registry/skill/refresh", {}),
      },
    });
  });
}
