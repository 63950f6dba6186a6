import { readdir, realpath, stat } from "node:fs/promises";
import path from "node:path";
import type { FolderDiagnostic, FoundSkill, FoundSkills, SkillSource } from "@cleveragents/application";
import type { SkillDiagnostic } from "@cleveragents/domain";
import { within } from "../tools/within.ts";
import { AgentSkillLoader, skillFileIn } from "./agent-skill-loader.ts";

/** A folder that is a skill, or that has some below it. */
export interface SkillRoot {
  readonly path: string;
  readonly source: SkillSource;
  /** Real path that nothing of it may lead out of: a project brings links of its own. */
  readonly within?: string;
  /** That it is not there is told. */
  readonly expected?: boolean;
}

const DEEPEST = 6;
const MOST_FOLDERS = 2000;
const LEFT_OUT: ReadonlySet<string> = new Set([".git", "node_modules"]);

/**
 * The skills in these folders and below them. Of two with one name the first counts, in the order of the roots and then
 * of the paths, so that the answer is the same each time. Links are followed and each folder looked at once, whatever
 * leads to it. Below a skill no others are looked for.
 */
export async function discoverAgentSkills(roots: readonly (string | SkillRoot)[]): Promise<FoundSkills> {
  const seen = new Set<string>();
  const skills = new Map<string, FoundSkill>();
  const shadowed: FoundSkills["shadowed"][number][] = [];
  const diagnostics: FolderDiagnostic[] = [];
  for (const given of roots) {
    const root: SkillRoot =
      typeof given === "string" ? { path: given, source: "path", expected: true } : given;
    for await (const { folder, real } of skillFolders(root, seen, diagnostics)) {
      const { spec, diagnostics: told } = await AgentSkillLoader.fromFolder(folder).read();
      const line = inOneLine(folder, told);
      if (line !== undefined) diagnostics.push(line);
      if (spec === undefined) continue;
      const { name, version, description } = spec;
      const first = skills.get(name);
      if (first === undefined)
        skills.set(name, {
          name,
          version,
          description,
          spec,
          folder: real,
          source: root.source,
          diagnostics: told,
        });
      else shadowed.push({ name, folder: real, source: root.source, by: first.folder });
    }
  }
  return {
    skills: [...skills.values()].sort((a, b) => (a.name < b.name ? -1 : 1)),
    shadowed,
    diagnostics,
  };
}

interface Place {
  /** As it was reached. */
  readonly folder: string;
  readonly real: string;
}

async function* skillFolders(
  root: SkillRoot,
  seen: Set<string>,
  diagnostics: FolderDiagnostic[],
): AsyncGenerator<Place> {
  const tell = (folder: string, code: string, message: string) =>
    diagnostics.push({ level: "warning", code, message, folder });
  const waiting: { readonly folder: string; readonly depth: number }[] = [
    { folder: path.resolve(root.path), depth: 0 },
  ];
  let looked = 0;
  for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
    const { folder, depth } = next;
    const real = await directory(folder);
    if (real === undefined) {
      if (depth === 0 && root.expected === true) tell(folder, "folder-missing", "there is no such folder");
      continue;
    }
    if (root.within !== undefined && within(root.within, real) === undefined) {
      tell(folder, "link-outside", "the folder leads out of the project, and is left alone");
      continue;
    }
    if (seen.has(real)) continue;
    seen.add(real);
    looked += 1;
    if (looked > MOST_FOLDERS) {
      tell(
        root.path,
        "too-many-folders",
        `there are more than ${MOST_FOLDERS} folders; the rest was not looked at`,
      );
      return;
    }
    if ((await skillFileIn(folder)) !== undefined) {
      yield { folder, real };
      continue;
    }
    const inner = await foldersIn(folder);
    if (inner === undefined) tell(folder, "folder-unreadable", "the folder cannot be looked into");
    else if (depth < DEEPEST)
      waiting.push(...inner.map((name) => ({ folder: path.join(folder, name), depth: depth + 1 })));
  }
}

async function directory(folder: string): Promise<string | undefined> {
  try {
    const real = await realpath(folder);
    return (await stat(real)).isDirectory() ? real : undefined;
  } catch {
    return undefined;
  }
}

/** Whatever may be a folder, also behind a link; sorted, so that the order of the file system does not count. */
async function foldersIn(folder: string): Promise<string[] | undefined> {
  try {
    const entries = await readdir(folder, { withFileTypes: true });
    return entries
      .filter((entry) => (entry.isDirectory() || entry.isSymbolicLink()) && !LEFT_OUT.has(entry.name))
      .map(({ name }) => name)
      .sort();
  } catch {
    return undefined;
  }
}

function inOneLine(folder: string, told: readonly SkillDiagnostic[]): FolderDiagnostic | undefined {
  const worth = told.filter(({ level }) => level !== "info");
  const worst = worth.find(({ level }) => level === "error") ?? worth[0];
  if (worst === undefined) return undefined;
  const line = worth.find((one) => one.line !== undefined)?.line;
  return {
    level: worst.level,
    code: worst.code,
    message: worth.map(({ message }) => message).join("; "),
    folder,
    ...(line === undefined ? {} : { line }),
  };
}
