import { chmodSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { InMemoryRegistryStore } from "../memory/index.ts";
import { AgentSkillFolders } from "./agent-skill-folders.ts";
import { AgentSkillLoader, SkillUnusableError } from "./agent-skill-loader.ts";
import { discoverAgentSkills } from "./discover-agent-skills.ts";
import { registerDiscoveredSkills } from "./register-discovered-skills.ts";

let base: string;
beforeEach(() => {
  base = realpathSync(mkdtempSync(path.join(tmpdir(), "skills-")));
});
afterEach(() => rmSync(base, { recursive: true, force: true }));

const at = (relative: string) => path.join(base, relative);
function put(relative: string, content: string): void {
  mkdirSync(path.dirname(at(relative)), { recursive: true });
  writeFileSync(at(relative), content);
}
function skill(folder: string, name = path.basename(folder), description = "d"): void {
  put(`${folder}/SKILL.md`, `---\nname: ${name}\ndescription: ${description}\n---\ntext`);
}
const names = async (...roots: string[]) =>
  (await discoverAgentSkills(roots.map(at))).skills.map(({ name }) => name);

describe("discovering", () => {
  test("finds skills below a folder, in folders with a dot too, or the folder itself", async () => {
    for (const folder of ["s/b", "s/.curated/c", "s/x/y/a", "s/node_modules/no", "s/.git/no"]) skill(folder);
    put("s/x/skill.md", "# Lower case\n\nd");
    expect(await names("s")).toEqual(["b", "c", "x"]);
    expect(await names("s/b")).toEqual(["b"]);
    expect(await names("s/x/y")).toEqual(["a"]);
  });

  test("looks no deeper than six folders, and not below a skill", async () => {
    skill("s/1/2/3/4/5/6");
    skill("s/a/1/2/3/4/5/6");
    skill("s/b/assets/template");
    skill("s/b");
    expect(await names("s")).toEqual(["6", "b"]);
  });

  test("of two with one name takes the first, tells the other, and is the same each time", async () => {
    skill("one/x", "x", "first");
    skill("two/z", "x", "second");
    skill("two/a");
    const runs = await Promise.all([1, 2, 3, 4, 5].map(() => discoverAgentSkills([at("one"), at("two")])));
    for (const run of runs) expect(run).toEqual(runs[0]);
    expect(runs[0]).toMatchObject({
      skills: [{ name: "a" }, { name: "x", description: "first", folder: at("one/x") }],
      shadowed: [{ name: "x", folder: at("two/z"), by: at("one/x") }],
    });
  });

  test("follows links, looks at each folder once, and is not caught in circles", async () => {
    skill("real/x");
    mkdirSync(at("s/deep"), { recursive: true });
    symlinkSync(at("real/x"), at("s/x"));
    symlinkSync(at("real"), at("s/again"));
    symlinkSync(at("s"), at("s/deep/up"));
    symlinkSync("loop", at("s/loop"));
    symlinkSync("nowhere", at("s/dangling"));
    const { skills, shadowed, diagnostics } = await discoverAgentSkills([at("s"), at("real")]);
    expect(skills).toMatchObject([{ name: "x", folder: at("real/x") }]);
    expect([shadowed, diagnostics]).toEqual([[], []]);
  });

  test("tells each odd skill in one line, and the others are there", async () => {
    skill("s/good");
    skill("s/local-search", "Local_Search");
    skill("s/hyphen", "-x");
    skill("s/double", "a--b");
    skill("s/long", "l".repeat(65));
    skill("s/pdf-tools", "pdf");
    put("s/no-name/SKILL.md", "---\ndescription: d\n---\n");
    put("s/no-description/SKILL.md", "---\nname: no-description\n---\n");
    put("s/much/SKILL.md", `---\nname: much\ndescription: ${"d".repeat(1025)}\n---\n`);
    put("s/empty/SKILL.md", "");
    put("s/colon/SKILL.md", "---\nname: colon\ndescription: Use when: reviewing\n---\n");
    const { skills, diagnostics } = await discoverAgentSkills([at("s")]);
    expect(skills.map(({ name }) => name)).toEqual([
      "a-b",
      "colon",
      "good",
      "l".repeat(64),
      "local-search",
      "much",
      "no-name",
      "pdf",
      "x",
    ]);
    const told = diagnostics.map(({ folder, level, code }) => [path.basename(folder), level, code]);
    expect(told).toEqual([
      ["colon", "warning", "yaml-repaired"],
      ["double", "warning", "name-hyphen-double"],
      ["empty", "error", "not-a-skill"],
      ["hyphen", "warning", "name-hyphen-edge"],
      ["local-search", "warning", "name-case"],
      ["long", "warning", "name-too-long"],
      ["much", "warning", "description-too-long"],
      ["no-description", "error", "description-missing"],
      ["no-name", "warning", "name-missing"],
      ["pdf-tools", "warning", "name-folder"],
    ]);
    expect(diagnostics.find(({ code }) => code === "yaml-repaired")?.line).toBe(3);
  });

  test("goes on where a file or a folder cannot be read, and tells it", async () => {
    skill("s/good");
    mkdirSync(at("s/folder/SKILL.md"), { recursive: true });
    mkdirSync(at("s/link"));
    symlinkSync("/etc/passwd", at("s/link/SKILL.md"));
    mkdirSync(at("s/locked/inner"), { recursive: true });
    chmodSync(at("s/locked"), 0);
    const { skills, diagnostics } = await discoverAgentSkills([at("s"), at("gone")]);
    chmodSync(at("s/locked"), 0o755);
    expect(skills.map(({ name }) => name)).toEqual(["good"]);
    const told = diagnostics.map(({ folder, code }) => `${path.basename(folder)} ${code}`);
    // Root can look into every folder.
    const locked = process.getuid?.() === 0 ? [] : ["locked folder-unreadable"];
    expect(told).toEqual(["folder unreadable", "link unreadable", ...locked, "gone folder-missing"]);
    expect(JSON.stringify(diagnostics)).not.toContain("root:");
  });
});

describe("the places of this host", () => {
  const folders = () =>
    new AgentSkillFolders({ home: at("home"), searchPath: `${at("one")}::relative:${at("two")}` });
  const discover = (project?: string, ...registered: string[]) =>
    folders().discover({ project: project === undefined ? undefined : at(project), registered });

  test("are a project's, then registered folders, then the search path, then the user's", async () => {
    for (const place of ["project/.cleveragents/skills", "project/.agents/skills", "project/.claude/skills"])
      skill(`${place}/all`, "all", place);
    for (const place of ["one", "two", "home/reg", "home/.agents/skills", "home/.cleveragents/skills"])
      skill(`${place}/all`, "all", place);
    const of = async (...given: Parameters<typeof discover>) => {
      const found = await discover(...given);
      return [found.skills[0]?.source, found.skills[0]?.description, found.shadowed.length];
    };
    expect(await of("project", "~/reg")).toEqual(["project", "project/.cleveragents/skills", 7]);
    expect(await of(undefined, "~/reg")).toEqual(["registered", "home/reg", 4]);
    expect(await of()).toEqual(["path", "one", 3]);
    expect(await of("gone")).toEqual(["path", "one", 3]);
  });

  test("of a project do not lead out of it", async () => {
    skill("home/secret/x");
    skill("project/.agents/inside/y");
    mkdirSync(at("project/.agents/skills"), { recursive: true });
    symlinkSync(at("home/secret/x"), at("project/.agents/skills/x"));
    symlinkSync("../inside/y", at("project/.agents/skills/y"));
    const { skills, diagnostics } = await discover("project");
    expect(skills.map(({ name, source }) => [name, source])).toEqual([["y", "project"]]);
    expect(diagnostics.map(({ code }) => code)).toContain("link-outside");
  });

  test("are one where the home directory is the project", async () => {
    skill("home/.agents/skills/x");
    const { skills, shadowed } = await discover("home");
    expect([skills.length, skills[0]?.source, shadowed.length]).toEqual([1, "project", 0]);
  });
});

describe("a folder", () => {
  test("that is a skill is loaded as the documents show it", async () => {
    put(
      "deploy-to-staging/SKILL.md",
      "# Deploy\n\n## Description\nd\n\n## Steps\n### 1. Run\nscripts/a.sh\n",
    );
    put("deploy-to-staging/scripts/a.sh", "#!/bin/sh\n");
    const spec = await AgentSkillLoader.fromFolder(at("deploy-to-staging")).load();
    expect([spec.name, spec.version, spec.steps.map(({ title }) => title)]).toEqual([
      "deploy-to-staging",
      "1.0.0",
      ["Run"],
    ]);
  });

  test("without a skill, and a script that is not there, are told", async () => {
    await expect(AgentSkillLoader.fromFolder(at("gone")).load()).rejects.toThrow(SkillUnusableError);
    put("x/SKILL.md", "---\nname: x\ndescription: d\n---\n## Steps\n1. Run `scripts/gone.sh`\n");
    expect((await AgentSkillLoader.fromFolder(at("x")).read()).diagnostics).toMatchObject([
      { level: "warning", code: "script-missing" },
    ]);
    expect(await AgentSkillLoader.fromFolder(at("x")).strictProblems()).toEqual([]);
  });
});

test("what is discovered can be registered, and what is registered stays", async () => {
  skill("s/x");
  skill("s/3d");
  const registry = new InMemoryRegistryStore();
  const found = await discoverAgentSkills([at("s")]);
  const first = await registerDiscoveredSkills(found, registry, 5);
  expect(first).toEqual({
    registered: ["local/x"],
    skipped: [{ name: "3d", why: expect.stringContaining("letter") }],
  });
  expect((await registry.find("skill", "local/x"))?.document).toMatchObject({
    agent_skill_folders: [at("s/x")],
  });
  expect(await registerDiscoveredSkills(found, registry)).toMatchObject({
    registered: [],
    skipped: [{}, {}],
  });
});
