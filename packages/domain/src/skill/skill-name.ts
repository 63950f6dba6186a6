import type { SkillDiagnostic } from "./agent-skill.ts";

const LONGEST = 64;

/** What the format does not allow of a name. `folder`: the name of the directory, which it has to be, if there is one. */
export function skillNameProblems(given: string, folder: string | undefined): SkillDiagnostic[] {
  const name = given.trim().normalize("NFKC");
  const problem = (code: string, message: string): SkillDiagnostic => ({ level: "error", code, message });
  if (name === "") return [problem("name-empty", "the name is empty")];
  const length = [...name].length;
  return [
    length > LONGEST && problem("name-too-long", `the name has ${length} characters; at most ${LONGEST}`),
    name !== name.toLowerCase() && problem("name-case", `the name "${shown(name)}" has capital letters`),
    /^-|-$/.test(name) && problem("name-hyphen-edge", `the name "${shown(name)}" begins or ends with -`),
    name.includes("--") && problem("name-hyphen-double", `the name "${shown(name)}" has two - in a row`),
    !/^[\p{L}\p{N}-]*$/u.test(name) &&
      problem("name-chars", `the name "${shown(name)}" has others than letters, digits and -`),
    folder !== undefined &&
      folder.normalize("NFKC") !== name &&
      problem("name-folder", `the name is "${shown(name)}" and the folder's is "${shown(folder)}"`),
  ].filter((found) => found !== false);
}

/** A name that keeps to the rules, as near to the given one as can be; empty if nothing of it can stay. */
export function skillHandle(given: string): string {
  const name = given.trim().normalize("NFKC");
  if (name !== "" && skillNameProblems(name, undefined).length === 0) return name;
  const plain = given
    .normalize("NFKD")
    .replace(/\p{M}/gu, "")
    .toLowerCase()
    .normalize("NFKC")
    .split(/[^\p{L}\p{N}]+/u)
    .filter((part) => part !== "")
    .join("-");
  return [...plain].slice(0, LONGEST).join("").replace(/-$/, "");
}

function shown(name: string): string {
  return [...name].slice(0, 80).join("").replace(/\p{C}/gu, "?");
}
