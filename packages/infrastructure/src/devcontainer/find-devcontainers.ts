import { readdir, readFile, realpath, stat } from "node:fs/promises";
import path from "node:path";
import type { FoundEnvironment } from "@cleveragents/application";
import type { JsonObject } from "@cleveragents/domain";
import stripJsonComments from "strip-json-comments";
import { isInside } from "../git/project-paths.ts";

const MAX_BYTES = 1024 * 1024;
const FOLDER = ".devcontainer";
const FILE = "devcontainer.json";

/** Places that the devcontainer specification names: `default` is the first of the two that have no folder of their own. */
export async function findDevcontainers(projectRoot: string): Promise<readonly FoundEnvironment[]> {
  const folders = await readdir(path.join(projectRoot, FOLDER), { withFileTypes: true }).catch(() => []);
  const named = folders
    .filter((entry) => entry.isDirectory())
    .map((entry) => entry.name)
    .sort();
  const places = [
    { name: "default", config: `${FOLDER}/${FILE}` },
    { name: "default", config: `.${FILE}` },
    ...named.map((name) => ({ name, config: `${FOLDER}/${name}/${FILE}` })),
  ];
  const found = await Promise.all(
    places.map(async ({ name, config }) => {
      const file = path.join(projectRoot, config);
      const there = await stat(file).catch(() => undefined);
      return there?.isFile() === true ? [await described(projectRoot, name, config)] : [];
    }),
  );
  const seen = new Set<string>();
  return found.flat().filter(({ name }) => !seen.has(name) && seen.add(name) !== undefined);
}

async function described(projectRoot: string, name: string, config: string): Promise<FoundEnvironment> {
  const found = { kind: "devcontainer", name, config } as const;
  try {
    const title = (await readDevcontainer(projectRoot, config))["name"];
    return typeof title === "string" && title !== "" ? { ...found, title: title.slice(0, 200) } : found;
  } catch (error) {
    if (!(error instanceof DevcontainerError)) throw error;
    return { ...found, unusable: error.message };
  }
}

export class DevcontainerError extends Error {
  override readonly name = "DevcontainerError";
}

/**
 * A description as the project has it now: what a plan has changed in its own copy changes no environment. Throws
 * {@link DevcontainerError}.
 */
export async function readDevcontainer(projectRoot: string, config: string): Promise<JsonObject> {
  const file = await realpath(path.join(projectRoot, config)).catch(() => undefined);
  if (file === undefined) throw new DevcontainerError(`${config} is not there any more`);
  if (!isInside(await realpath(projectRoot), file))
    throw new DevcontainerError(`${config} is a link that leads out of the project`);
  const { size } = await stat(file);
  if (size > MAX_BYTES) throw new DevcontainerError(`${config} is larger than 1 MiB`);
  const text = (await readFile(file, "utf8")).replace(/^\uFEFF/, "");
  const value = parsed(config, text);
  if (typeof value !== "object" || value === null || Array.isArray(value))
    throw new DevcontainerError(`${config} is no object`);
  return value as JsonObject;
}

/** JSON with comments and trailing commas. */
function parsed(config: string, text: string): unknown {
  try {
    return JSON.parse(stripJsonComments(text, { trailingCommas: true }));
  } catch (cause) {
    const line = /\(line (\d+)/.exec((cause as Error).message)?.[1];
    throw new DevcontainerError(`${config} is no JSON${line === undefined ? "" : ` (line ${line})`}`, {
      cause,
    });
  }
}
