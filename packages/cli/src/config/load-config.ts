import { dirname, join } from "node:path";
import { CliError, usageError } from "../cli-error.ts";
import type { CliContext } from "../context.ts";
import { EXIT } from "../exit-codes.ts";
import { checkedValue, keyNamed } from "./config-error.ts";
import { CONFIG_KEYS } from "./keys.ts";

export type ConfigContext = Pick<
  CliContext,
  "env" | "unconfiguredEnv" | "cwd" | "home" | "readFile" | "fileMode"
>;

export interface Setting {
  readonly name: string;
  readonly value: string | undefined;
  /** `environment`, `project`, `user`, `default` or `unset`. */
  readonly origin: "environment" | "project" | "user" | "default" | "unset";
  /** The variable or file that has it. */
  readonly source: string | undefined;
}

interface Layer {
  readonly origin: "project" | "user";
  readonly file: string;
  readonly values: ReadonlyMap<string, string>;
}

const PROJECT_FILE = ".cleveragents.toml";
/** Others may read or write it. */
const OTHERS = 0o077;

export function userConfigFile({ env, home }: Pick<CliContext, "env" | "home">): string {
  return given(env["CLEVERAGENTS_CONFIG"]) ?? join(home, ".cleveragents", "config.toml");
}

/** The nearest one from the present folder upwards, or where a new one would be. */
export async function projectConfigFile({
  cwd,
  fileMode,
}: Pick<CliContext, "cwd" | "fileMode">): Promise<{ readonly file: string; readonly there: boolean }> {
  for (let folder = cwd; ; folder = dirname(folder)) {
    const file = join(folder, PROJECT_FILE);
    if ((await fileMode(file)) !== undefined) return { file, there: true };
    if (folder === dirname(folder)) return { file: join(cwd, PROJECT_FILE), there: false };
  }
}

/** All keys, each with the value that counts and where it is from. Throws a usage error for a file that cannot be used. */
export async function loadConfig(context: ConfigContext): Promise<readonly Setting[]> {
  const layers = await layersOf(context);
  return CONFIG_KEYS.map(({ name, env, default: fallback }): Setting => {
    const fromEnv = given((context.unconfiguredEnv ?? context.env)[env]);
    if (fromEnv !== undefined) return { name, value: fromEnv, origin: "environment", source: env };
    const layer = layers.find(({ values }) => values.has(name));
    if (layer !== undefined)
      return { name, value: layer.values.get(name), origin: layer.origin, source: layer.file };
    return fallback === undefined
      ? { name, value: undefined, origin: "unset", source: undefined }
      : { name, value: fallback, origin: "default", source: undefined };
  });
}

/** The environment with what files say in the place of variables that are not set: whoever reads one reads both. */
export async function withConfig(context: ConfigContext): Promise<CliContext["env"]> {
  const found: Record<string, string> = {};
  for (const { values } of (await layersOf(context)).toReversed())
    for (const { name, env } of CONFIG_KEYS) {
      const value = values.get(name);
      if (value !== undefined) found[env] = value;
    }
  const set = Object.fromEntries(
    Object.entries(context.env).filter(([name, value]) => value !== "" || found[name] === undefined),
  );
  return { ...found, ...set };
}

/** The project's file before the user's. */
async function layersOf(context: ConfigContext): Promise<readonly Layer[]> {
  const user = userConfigFile(context);
  const project = await projectConfigFile(context);
  const layers: Layer[] = [];
  if (project.there) layers.push(await readLayer(context, project.file, "project"));
  const mode = await context.fileMode(user);
  if (mode !== undefined) {
    const layer = await readLayer(context, user, "user");
    const secret = CONFIG_KEYS.find(({ name, secret: is }) => is === true && layer.values.has(name));
    if (secret !== undefined && (mode & OTHERS) !== 0)
      throw new CliError("CONFIG_EXPOSED", `others may read ${user}, which has ${secret.name}`, {
        hint: `chmod 600 ${user}`,
        exitCode: EXIT.USAGE,
      });
    layers.push(layer);
  }
  return layers;
}

async function readLayer(
  { readFile }: Pick<CliContext, "readFile">,
  file: string,
  origin: Layer["origin"],
): Promise<Layer> {
  const { parse } = await import("smol-toml");
  let document: Record<string, unknown>;
  try {
    document = parse(await readFile(file));
  } catch (cause) {
    const text = cause instanceof Error ? (cause.message.split("\n", 1)[0] ?? "") : String(cause);
    throw new CliError("CONFIG_INVALID", `${file}: ${text}`, { cause, exitCode: EXIT.USAGE });
  }
  const values = new Map<string, string>();
  for (const [section, entries] of Object.entries(document)) {
    if (typeof entries !== "object" || entries === null || Array.isArray(entries)) keyNamed(section, file);
    for (const [entry, value] of Object.entries(entries as object)) {
      const key = keyNamed(`${section}.${entry}`, file);
      if (origin === "project" && key.userOnly === true)
        throw usageError(
          `${file}: ${key.name} may only stand in your own configuration`,
          `agents config set ${key.name} VALUE`,
        );
      values.set(key.name, checkedValue(key, value, file));
    }
  }
  return { origin, file, values };
}

function given(value: string | undefined): string | undefined {
  return value === undefined || value === "" ? undefined : value;
}
