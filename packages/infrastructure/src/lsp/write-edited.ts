import { rm } from "node:fs/promises";
import { type Sandbox, ToolError } from "@cleveragents/application";
import type { JsonObject } from "@cleveragents/domain";
import { confine } from "../tools/confine.ts";
import { readContent } from "../tools/file-content.ts";
import { inDirectory } from "../tools/open-confined.ts";
import { writeAtomically } from "../tools/write-atomically.ts";
import type { EditedFiles } from "./workspace-edit.ts";

const LARGEST = 64 * 1024 * 1024;

export interface WrittenFile extends JsonObject {
  readonly path: string;
  readonly change: "created" | "changed" | "deleted";
}

type Where = Pick<Sandbox, "root" | "projectRoot">;

/**
 * Writes what an edit has come to into the plan's copy, each file as a whole. Where one of them cannot be written, those
 * that were are as they were before, as far as that can be done.
 */
export async function writeEdited(sandbox: Where, files: EditedFiles): Promise<readonly WrittenFile[]> {
  const before = new Map<string, Buffer | undefined>();
  const written: WrittenFile[] = [];
  try {
    for (const [file, text] of files) {
      const old = await contentOf(sandbox, file);
      before.set(file, old);
      const bytes = text === undefined ? undefined : Buffer.from(text, "utf8");
      if (bytes === old || (bytes !== undefined && old?.equals(bytes) === true)) continue;
      await put(sandbox, file, bytes);
      written.push({
        path: file,
        change: bytes === undefined ? "deleted" : old === undefined ? "created" : "changed",
      });
    }
    return written.sort((a, b) => (a.path < b.path ? -1 : 1));
  } catch (error) {
    for (const { path } of written) await put(sandbox, path, before.get(path)).catch(() => undefined);
    throw error;
  }
}

async function contentOf(sandbox: Where, file: string): Promise<Buffer | undefined> {
  try {
    return (await readContent(await confine(sandbox, file, "read"), LARGEST)).bytes;
  } catch (error) {
    if (error instanceof ToolError && error.reason === "FILE_NOT_FOUND") return undefined;
    throw error;
  }
}

async function put(sandbox: Where, file: string, bytes: Buffer | undefined): Promise<void> {
  const place = await confine(sandbox, file, bytes === undefined ? "entry" : "write");
  if (bytes !== undefined) await writeAtomically(place, bytes);
  else await inDirectory(place, async ({ target }) => await rm(target));
}
