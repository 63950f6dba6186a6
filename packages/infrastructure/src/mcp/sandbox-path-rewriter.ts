import { realpathSync } from "node:fs";
import path from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import type { JsonValue } from "@cleveragents/domain";

export interface SandboxPathRewriterConfig {
  /** Where the copy really lies. */
  readonly sandboxRoot: string;
  /** The project's own place, which everybody else speaks of. */
  readonly hostRoot: string;
}

/** A path that leads out of the sandbox. */
export class PathTraversalError extends Error {
  override readonly name = "PathTraversalError";
  readonly path: string;
  constructor(path: string) {
    super(`the path ${path} leads out of the project`);
    this.path = path;
  }
}

const DEEPEST = 64;

/**
 * For servers that see the sandbox where it lies and not in the project's place. Whole values that are a path, or the
 * file: URL of one, are turned from the project's place to the sandbox's in arguments, and back in results, there line by
 * line too. Paths within a longer text stay as they are: they may be content.
 */
export class SandboxPathRewriter {
  readonly #sandbox: string;
  readonly #host: string;

  constructor({ sandboxRoot, hostRoot }: SandboxPathRewriterConfig) {
    this.#sandbox = path.resolve(sandboxRoot);
    this.#host = path.resolve(hostRoot);
  }

  /** Throws {@link PathTraversalError} for a path that leaves the project, by its text or by a link in the sandbox. */
  rewriteArgs<T extends JsonValue>(args: T): T {
    return mapTexts(args, (text) => this.#toSandbox(text)) as T;
  }

  rewriteResult<T extends JsonValue>(result: T): T {
    return mapTexts(result, (text) =>
      text
        .split("\n")
        .map((line) => this.#toHost(line))
        .join("\n"),
    ) as T;
  }

  #toSandbox(text: string): string {
    const given = pathIn(text);
    if (given === undefined) {
      if (leadsUp(text)) throw new PathTraversalError(text);
      return text;
    }
    for (const root of [this.#host, this.#sandbox]) {
      if (!startsIn(root, given)) continue;
      const relative = path.relative(root, path.normalize(given));
      if (isOutside(relative)) throw new PathTraversalError(text);
      const rewritten = path.join(this.#sandbox, relative);
      this.#assertInside(rewritten, text);
      return text.startsWith("file:") ? pathToFileURL(rewritten).href : rewritten;
    }
    return text;
  }

  #toHost(line: string): string {
    const given = pathIn(line.trimEnd());
    if (given === undefined || !startsIn(this.#sandbox, given)) return line;
    const turned = path.join(this.#host, path.relative(this.#sandbox, path.normalize(given)));
    return line.startsWith("file:") ? pathToFileURL(turned).href : turned;
  }

  /** A link in the sandbox may lead anywhere. */
  #assertInside(file: string, said: string): void {
    const root = real(this.#sandbox);
    if (root === undefined) return;
    for (let at = file; at !== path.dirname(at); at = path.dirname(at)) {
      const found = real(at);
      if (found === undefined) continue;
      if (isOutside(path.relative(root, found))) throw new PathTraversalError(said);
      return;
    }
  }
}

function real(file: string): string | undefined {
  try {
    return realpathSync(file);
  } catch {
    return undefined;
  }
}

/** The path that a text is, if it is one as a whole. */
function pathIn(text: string): string | undefined {
  if (text.includes("\n") || text.includes("\0")) return undefined;
  if (path.isAbsolute(text)) return text;
  if (!/^file:\/\/\//.test(text)) return undefined;
  try {
    return fileURLToPath(text);
  } catch {
    return undefined;
  }
}

/** A relative path that climbs above where it began. */
function leadsUp(text: string): boolean {
  return /^[^\s\0]+$/.test(text) && text.split("/").includes("..") && isOutside(path.normalize(text));
}

const startsIn = (root: string, file: string): boolean => file === root || file.startsWith(`${root}/`);
const isOutside = (relative: string): boolean =>
  relative === ".." || relative.startsWith("../") || path.isAbsolute(relative);

function mapTexts(value: JsonValue, map: (text: string) => string, depth = 0): JsonValue {
  if (typeof value === "string") return map(value);
  if (depth > DEEPEST || typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map((item) => mapTexts(item, map, depth + 1));
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [key, mapTexts(item, map, depth + 1)]),
  );
}
