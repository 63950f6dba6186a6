import type { FileHandle } from "node:fs/promises";
import type { ConfinedPath } from "./confine.ts";
import { onFile, refuse } from "./file-failure.ts";
import { openConfined } from "./open-confined.ts";

export interface FileContent {
  readonly bytes: Buffer;
  /** Undefined for a binary file. A byte order mark and line ends are kept. */
  readonly text: string | undefined;
}

/** Reads a whole file. Throws ToolError FILE_TOO_LARGE beyond the limit. */
export async function readContent(place: ConfinedPath, maxBytes: number): Promise<FileContent> {
  const handle = await openConfined(place);
  try {
    return await onFile(place.relative, async () => {
      const { size } = await handle.stat();
      const bytes = await readAtMost(handle, maxBytes);
      if (bytes === undefined) {
        throw refuse("FILE_TOO_LARGE", place.relative, `is larger than ${maxBytes} bytes`, {
          size,
          limit: maxBytes,
        });
      }
      return { bytes, text: asText(bytes) };
    });
  } finally {
    await handle.close();
  }
}

/** Bounded even if the file grows while it is read. */
async function readAtMost(handle: FileHandle, maxBytes: number): Promise<Buffer | undefined> {
  const chunks: Buffer[] = [];
  for await (const chunk of handle.createReadStream({ start: 0, end: maxBytes, autoClose: false }))
    chunks.push(chunk as Buffer);
  const bytes = Buffer.concat(chunks);
  return bytes.length > maxBytes ? undefined : bytes;
}

function asText(bytes: Buffer): string | undefined {
  if (bytes.includes(0)) return undefined; // valid UTF-8, but no text; and PostgreSQL's jsonb cannot hold it
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
}
