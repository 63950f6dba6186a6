import { expect, test } from "vitest";
import { SkillRegistrationSchema, skillToolName } from "./skill-registration-schema.ts";
import { ownerOfServer, serverNamesOf, skillServerName } from "./skill-servers.ts";

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
    anonymous_tools: [],
  });
  expect(SkillRegistrationSchema.parse(skill)).toEqual(skill);
});

test("a server with more than its name is the skill's own, and read as a server's document", () => {
  const skill = SkillRegistrationSchema.parse({
    name: "x",
    mcp_servers: ["github", { name: "team/ci" }, { name: "notes", command: "npx", args: ["-y", "notes"] }],
  });
  expect(skill.mcp_servers).toMatchObject([
    "github",
    "team/ci",
    { name: "notes", transport: "stdio", sandbox: "plan", args: ["-y", "notes"] },
  ]);
  expect(SkillRegistrationSchema.parse(skill)).toEqual(skill);
  expect(serverNamesOf("local/x", skill.mcp_servers)).toEqual(["github", "team/ci", "local/x__notes"]);
  expect(ownerOfServer("local/x__notes")).toEqual({ skill: "local/x", server: "notes" });
  expect(ownerOfServer(skillServerName("local/odd__one_", "n"))).toEqual({
    skill: "local/odd__one_",
    server: "n",
  });
  expect(ownerOfServer("local/notes")).toBeUndefined();
});

test.each([
  [{ name: "team/notes", command: "x" }, "without a namespace"],
  [{ name: "a__b", command: "x" }, "single _"],
  [{ name: "notes", url: "https://x.example", args: ["y"] }, "no meaning"],
  [{ name: "notes", comand: "x" }, "comand"],
  [{ command: "x" }, "a server with its `name`"],
])("the server %j of a skill is refused: %s", (server, why) => {
  expect(messages({ name: "x", mcp_servers: [server] }).join("\n")).toContain(why);
});

test("two servers of a skill's own have two names", () => {
  const notes = { name: "notes", command: "x" };
  expect(messages({ name: "x", mcp_servers: [notes, notes] })).toEqual(["notes is there twice"]);
});

test("a skill of nothing, an unknown key and two names for the folders are refused", () => {
  expect(messages({ name: "x" })).toEqual([expect.stringContaining("at least one of")]);
  expect(messages({ name: "x", agent_skill_folders: ["a\0"] })).not.toEqual([]);
  expect(messages({ name: "x", tools: ["a/b"], tool: [] })).toEqual([expect.stringContaining("tool")]);
  expect(messages({ name: "x", agent_skills: ["/a"], agent_skill_folders: ["/b"] })).toEqual([
    expect.stringContaining("another name"),
  ]);
});

test("tools of its own are read as documents of tools are, each under a name within the skill", () => {
  const count = { name: "count", description: "Counts", command: ["wc", "-l"] };
  const skill = SkillRegistrationSchema.parse({ name: "x", inline_tools: [count] });
  expect(skill.anonymous_tools).toMatchObject([{ name: "count", timeout: 300, expect: [0] }]);
  expect(SkillRegistrationSchema.parse(skill)).toEqual(skill);
  expect(skillToolName("local/x", "count")).toBe("local/x__count");
  expect(messages({ name: "x", anonymous_tools: [count, count] })).toEqual(["count is there twice"]);
  expect(messages({ name: "x", anonymous_tools: [{ ...count, name: "a/b" }] })).toEqual([
    expect.stringContaining("without a namespace"),
  ]);
  expect(messages({ name: "x", anonymous_tools: [{ name: "count" }] })).not.toEqual([]);
  expect(messages({ name: "x", anonymous_tools: [count], inline_tools: [count] })).toEqual([
    expect.stringContaining("another name"),
  ]);
});
