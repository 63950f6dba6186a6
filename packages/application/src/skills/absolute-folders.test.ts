import { SkillRegistrationSchema } from "@cleveragents/domain";
import { expect, test } from "vitest";
import { withAbsoluteFolders } from "./absolute-folders.ts";

const folders = (file: string | undefined, ...agent_skill_folders: string[]) => {
  const read = withAbsoluteFolders(SkillRegistrationSchema.parse({ name: "x", agent_skill_folders }), file);
  return read.problems.length > 0 ? read.problems.map(({ path }) => path) : read.document.agent_skill_folders;
};

test("folders are found from where the document stands", () => {
  expect(folders("/a/b/skill.yaml", "./deploy", "../c/./d/", "/e", "~/f", "../../../../g")).toEqual([
    "/a/b/deploy",
    "/a/c/d",
    "/e",
    "~/f",
    "/g",
  ]);
});

test("without that a relative one is refused where it stands", () => {
  expect(folders("skill.yaml", "/a", "b")).toEqual(["agent_skill_folders.1"]);
  expect(folders(undefined, "b")).toEqual(["agent_skill_folders.0"]);
  expect(folders(undefined, "/a", "~/b")).toEqual(["/a", "~/b"]);
});
