import type { DocumentProblem, SkillRegistration } from "@cleveragents/domain";

/** The document with its folders as they are found from anywhere. `file`: where it stands, which may be a mere label. */
export function withAbsoluteFolders(
  document: SkillRegistration,
  file: string | undefined,
): { readonly document: SkillRegistration; readonly problems: readonly DocumentProblem[] } {
  const base = file !== undefined && isAbsolute(file) ? file.replace(/[\\/][^\\/]*$/, "") : undefined;
  const problems: DocumentProblem[] = [];
  const folders = document.agent_skill_folders.map((folder, n) => {
    if (isAbsolute(folder) || folder.startsWith("~/")) return folder;
    if (base !== undefined) return joined(base, folder);
    problems.push({
      path: `agent_skill_folders.${n}`,
      problem: "a relative folder means nothing where it is not known which file it stands in",
    });
    return folder;
  });
  return { document: { ...document, agent_skill_folders: folders }, problems };
}

function isAbsolute(path: string): boolean {
  return /^(?:\/|[A-Za-z]:[\\/])/.test(path);
}

function joined(base: string, relative: string): string {
  const parts = base.split("/");
  for (const part of relative.split("/")) {
    if (part === "..") {
      if (parts.length > 1) parts.pop();
    } else if (part !== "" && part !== ".") parts.push(part);
  }
  return parts.join("/") || "/";
}
