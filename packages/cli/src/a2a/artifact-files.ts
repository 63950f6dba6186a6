import { join } from "node:path";
import type { ArtifactView, PartView } from "./answers.ts";

export interface ArtifactFile {
  readonly path: string;
  readonly bytes: Uint8Array;
}

/** The files that artifacts are saved as, each with a name of its own; addresses of files that are elsewhere. */
export function filesOf(
  artifacts: readonly ArtifactView[],
  folder: string,
): { readonly files: readonly ArtifactFile[]; readonly links: readonly string[] } {
  const taken = new Set<string>();
  const files: ArtifactFile[] = [];
  const links: string[] = [];
  for (const artifact of artifacts) {
    for (const part of joined(artifact.parts)) {
      if (part.kind === "file" && part.bytes === undefined) {
        links.push(part.url ?? "");
        continue;
      }
      const name = unique(safeName(nameOf(part, artifact)), taken);
      files.push({ path: join(folder, name), bytes: bytesOf(part) });
    }
  }
  return { files, links };
}

/** A text that came in pieces is one text. */
function joined(parts: readonly PartView[]): readonly PartView[] {
  const whole: PartView[] = [];
  for (const part of parts) {
    const last = whole.at(-1);
    if (part.kind === "text" && last?.kind === "text" && part.mediaType === last.mediaType)
      whole[whole.length - 1] = { ...last, text: last.text + part.text };
    else whole.push(part);
  }
  return whole;
}

function nameOf(part: PartView, { id, name }: ArtifactView): string {
  if (part.kind === "file") return part.name ?? name ?? id;
  const stem = name ?? id;
  if (/\.\w+$/.test(stem)) return stem;
  return `${stem}${part.kind === "data" ? ".json" : part.mediaType === "text/markdown" ? ".md" : ".txt"}`;
}

function bytesOf(part: PartView): Uint8Array {
  if (part.kind === "file") return Buffer.from(part.bytes ?? "", "base64");
  return Buffer.from(part.kind === "text" ? part.text : `${JSON.stringify(part.data, null, 2)}\n`);
}

/** The last piece of a path, without what a file system or a shell takes for something else, and never hidden. */
function safeName(name: string): string {
  const last = name.split(/[/\\]/).at(-1) ?? "";
  const safe = last.replace(/[\p{Cc}<>:"|?*]/gu, "_").replace(/^[.\s-]+|[.\s]+$/g, "");
  return safe === "" ? "artifact" : safe.slice(0, 200);
}

function unique(name: string, taken: Set<string>): string {
  const [, stem = name, ending = ""] = /^(.+?)(\.\w+)?$/.exec(name) ?? [];
  let free = name;
  for (let n = 2; taken.has(free.toLowerCase()); n++) free = `${stem}-${n}${ending}`;
  taken.add(free.toLowerCase());
  return free;
}
