import {
  type ContextFile,
  type ContextFiles,
  type ReadContextFiles,
  type Sandbox,
  ToolError,
} from "@cleveragents/application";
import { type ContextView, pathsAgainst } from "@cleveragents/domain";
import { confine } from "./confine.ts";
import { readContent } from "./file-content.ts";
import { walkFiles } from "./walk-files.ts";

/** Reads them as the tools on files do. */
export class ConfinedContextFiles implements ContextFiles {
  async read(sandbox: Sandbox, view: ContextView, signal: AbortSignal): Promise<ReadContextFiles> {
    const { maxFileSize, maxFiles, maxTotalSize } = view;
    const files: ContextFile[] = [];
    const leftOut: { path: string; why: string }[] = [];
    let left = maxTotalSize;
    for (const file of await this.#chosen(sandbox, view, signal)) {
      signal.throwIfAborted();
      if (files.length >= maxFiles) {
        leftOut.push({ path: file, why: `more than ${maxFiles} files` });
        continue;
      }
      const content = await contentOf(sandbox, file, Math.min(maxFileSize, left));
      if (content === undefined) continue;
      if (content === "too large") {
        leftOut.push({
          path: file,
          why:
            left < maxFileSize
              ? `more than ${maxTotalSize} bytes together`
              : `more than ${maxFileSize} bytes`,
        });
        continue;
      }
      left -= content.size;
      files.push({ path: file, text: content.text });
    }
    return { files, leftOut };
  }

  async #chosen(
    sandbox: Sandbox,
    { include, exclude }: ContextView,
    signal: AbortSignal,
  ): Promise<readonly string[]> {
    if (include.length === 0) return [];
    const root = await quiet(() => confine(sandbox, ".", "read"));
    const walked = root && (await quiet(() => walkFiles(root.absolute, root.relative, signal)));
    const all = walked?.files ?? [];
    const hidden = new Set(exclude.length === 0 ? [] : pathsAgainst({ deny: [...exclude] }, all));
    const seen = all.filter((file) => !hidden.has(file));
    return [...new Set(include.flatMap((glob) => [...pathsAgainst({ deny: [glob] }, seen)].sort()))];
  }
}

/** Undefined for what is no text, or gone since it was found. */
async function contentOf(
  sandbox: Sandbox,
  file: string,
  maxBytes: number,
): Promise<{ readonly text: string; readonly size: number } | "too large" | undefined> {
  try {
    const { text, bytes } = await readContent(await confine(sandbox, file, "read"), maxBytes);
    return text === undefined ? undefined : { text, size: bytes.length };
  } catch (error) {
    if (!(error instanceof ToolError)) throw error;
    return error.reason === "FILE_TOO_LARGE" ? "too large" : undefined;
  }
}

async function quiet<T>(look: () => Promise<T>): Promise<T | undefined> {
  try {
    return await look();
  } catch (error) {
    if (error instanceof ToolError) return undefined;
    throw error;
  }
}
