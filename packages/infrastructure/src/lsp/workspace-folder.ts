import { lstat } from "node:fs/promises";
import path from "node:path";
import { type LspServer, rootMarkers } from "@cleveragents/domain";

/**
 * The folder that a server works on for a file, relative to the project, which is "" itself: as the server's document
 * says, or the nearest above the file in which something is built.
 */
export async function workspaceFolder(root: string, server: LspServer, file: string): Promise<string> {
  if (server.workspaceMapping === "explicit")
    return path.posix.normalize(server.rootPath ?? ".").replace(/^\.?\/?$|\/$/g, "");
  const markers = server.rootMarkers ?? rootMarkers(server.languages);
  for (
    let folder = path.posix.dirname(file);
    folder !== "." && folder !== "/";
    folder = path.posix.dirname(folder)
  )
    for (const marker of markers)
      if ((await lstat(path.join(root, folder, marker)).catch(() => undefined)) !== undefined) return folder;
  return "";
}
