import { expect, test } from "vitest";
import { SkillRegistrationSchema } from "./skill-registration-schema.ts";

const messages = (value: unknown) =>
  SkillRegistrationSchema.safeParse(value).error?.issues.map(({ message }) => message) ?? [];

test("names stand alone or in objects, folders under either name", () => {
  const skill = SkillRegistrationSchema.parse({
    name: "deploy",
    version: 1.5,
    tools: [{ name: "builtin/shell" }, "builtin/read_file"],
    includes: ["team/base"],
    mcp_servers: [{ name: "github" }],
    agent_skills: ["~/skills/deploy", { path: "/srv/skills/x" }],
    builtins: [{ group: "file_operations" }],
  });
  expect(skill).toEqual({
    name: "deploy",
    version: "1.5",
    tools: ["builtin/shell", "builtin/read_file"],
    includes: ["team/base"],
    mcp_servers: ["github"],
    agent_skill_folders: ["~/skills/deploy", "/srv/skills/x"],
    builtins: ["file_operations"],
  });
  expect(SkillRegistrationSchema.parse(skill)).toEqual(skill);
});

test("what is defined elsewhere is only named here, and the message says where", () => {
  expect(messages({ name: "x", mcp_servers: [{ name: "github", command: "npx" }] })).toEqual([
    expect.stringContaining("agents mcp add"),
  ]);
  expect(messages({ name: "x", tools: ["a/b"], inline_tools: [{}] })).toEqual([
    expect.stringContaining("agents tool add"),
  ]);
});

test("a skill of nothing, an unknown key and two names for the folders are refused", () => {
  expect(messages({ name: "x" })).toEqual([expect.stringContaining("at least one of")]);
  expect(messages({ name: "x", agent_skill_folders: ["a\0"] })).not.toEqual([]);
  expect(messages({ name: "x", tools: ["a/b"], tool: [] })).toEqual([expect.stringContaining("tool")]);
  expect(messages({ name: "x", agent_skills: ["/a"], agent_skill_folders: ["/b"] })).toEqual([
    expect.stringContaining("another name"),
  ]);
});
