import { dirname, join } from "node:path";
import type { Values } from "../command/values.ts";
import type { CliContext } from "../context.ts";
import { a2aError } from "./a2a-errors.ts";

/** The options that may also be set by a variable or a file, and what holds without them. `--stream` is none of them. */
export const SETTINGS = {
  "agent-card": { fallback: undefined },
  "a2a-version": { fallback: "1.0" },
  transport: { fallback: undefined },
  bearer: { fallback: undefined },
  "api-key": { fallback: undefined },
  "client-id": { fallback: undefined },
  "client-secret": { fallback: undefined },
  "context-id": { fallback: undefined },
  "task-id": { fallback: undefined },
  async: { fallback: "false" },
  "poll-interval": { fallback: "2s" },
  timeout: { fallback: undefined },
  insecure: { fallback: "false" },
  "svc-param": { fallback: undefined },
} as const;
export type SettingName = keyof typeof SETTINGS;

export const SECRET_SETTINGS: ReadonlySet<string> = new Set([
  "bearer",
  "api-key",
  "client-secret",
  "svc-param",
]);

export interface Setting {
  readonly value: string;
  /** `flag`, `environment`, the path of a file, or `default`. */
  readonly origin: string;
}

interface SettingsFile {
  readonly path: string;
  readonly entries: ReadonlyMap<string, string>;
  /** Found beside the work rather than named by the user: whoever wrote the folder wrote it. */
  readonly found: boolean;
}

/** Flag before environment before local file before global file before default (a2a-cli §8.3). */
export class Settings {
  readonly #values: Values;
  readonly #env: CliContext["env"];
  readonly #files: readonly SettingsFile[];

  private constructor(values: Values, env: CliContext["env"], files: readonly SettingsFile[]) {
    this.#values = values;
    this.#env = env;
    this.#files = files;
  }

  static async read(
    values: Values,
    { env, cwd, home, readFile }: Pick<CliContext, "env" | "cwd" | "home" | "readFile">,
  ): Promise<Settings> {
    const named = values.text("config");
    const files = [
      named === undefined ? await nearest(cwd, readFile) : await given(named, readFile),
      await load(join(home, ".config/a2a-cli/.env"), readFile, false),
    ];
    return new Settings(
      values,
      env,
      files.filter((file) => file !== undefined),
    );
  }

  find(name: SettingName): Setting | undefined {
    const flag = this.#flag(name);
    if (flag !== undefined) return { value: flag, origin: "flag" };
    const variable = `A2ACLI_${name.toUpperCase().replaceAll("-", "_")}`;
    const inEnv = this.#env[variable];
    if (inEnv !== undefined && inEnv !== "") return { value: inEnv, origin: "environment" };
    for (const { path, entries, found } of this.#files) {
      const value = entries.get(variable);
      // A folder that was cloned must not turn the verification of TLS off.
      if (value !== undefined && value !== "" && !(found && name === "insecure"))
        return { value, origin: path };
    }
    const { fallback } = SETTINGS[name];
    return fallback === undefined ? undefined : { value: fallback, origin: "default" };
  }

  text(name: SettingName): string | undefined {
    return this.find(name)?.value;
  }

  /** Entries of a flag that may be repeated; a file or a variable has them separated by commas. */
  list(name: SettingName): readonly string[] {
    const flags = this.#values.list(name);
    if (flags.length > 0) return flags;
    return (this.text(name) ?? "")
      .split(",")
      .map((entry) => entry.trim())
      .filter((entry) => entry !== "");
  }

  isOn(name: SettingName): boolean {
    const value = this.text(name)?.toLowerCase();
    return value === "true" || value === "1" || value === "yes";
  }

  /**
   * A credential. Where a file that was only found chooses the agent, none from elsewhere is shown to it: it could be
   * anybody's.
   */
  credential(name: "bearer" | "api-key" | "client-secret"): Setting | undefined {
    const credential = this.find(name);
    if (credential === undefined) return undefined;
    const agent = this.find("agent-card");
    const finder = this.#files.find(({ path, found }) => found && path === agent?.origin);
    if (finder === undefined || credential.origin === "flag" || credential.origin === finder.path)
      return credential;
    throw a2aError("USAGE", `${finder.path} names the agent, and your credential is not from that file`, {
      hint: `say that you mean it: --agent-card ${agent?.value}`,
    });
  }

  #flag(name: SettingName): string | undefined {
    if (name === "agent-card") {
      const positional = this.#values.optionalPositional("AGENT");
      if (positional !== undefined) return positional;
    }
    if (name === "async") {
      if (this.#values.isSet("wait")) return "false";
      return ["async", "no-wait", "return-immediately"].some((flag) => this.#values.isSet(flag))
        ? "true"
        : undefined;
    }
    const list = this.#values.list(name);
    if (list.length > 0) return list.join(",");
    return this.#values.text(name) ?? (this.#values.isSet(name) ? "true" : undefined);
  }
}

type ReadFile = CliContext["readFile"];

async function given(path: string, readFile: ReadFile): Promise<SettingsFile> {
  const file = await load(path, readFile, false);
  if (file === undefined) throw a2aError("USAGE", `cannot read ${path}`);
  return file;
}

/** The `.env` of this folder or of the nearest one above that has one. */
async function nearest(folder: string, readFile: ReadFile): Promise<SettingsFile | undefined> {
  const file = await load(join(folder, ".env"), readFile, true);
  if (file !== undefined) return file;
  const above = dirname(folder);
  return above === folder ? undefined : nearest(above, readFile);
}

async function load(path: string, readFile: ReadFile, found: boolean): Promise<SettingsFile | undefined> {
  const text = await readFile(path).catch(() => undefined);
  return text === undefined ? undefined : { path, entries: entriesOf(text), found };
}

/** Lines `A2ACLI_KEY=value`; everything else in such a file is somebody else's. */
function entriesOf(text: string): Map<string, string> {
  const entries = new Map<string, string>();
  for (const line of text.split(/\r?\n/)) {
    const [, key, value = ""] = /^\s*(?:export\s+)?(A2ACLI_\w+)\s*=\s*(.*?)\s*$/.exec(line) ?? [];
    if (key !== undefined) entries.set(key, /^(["'])(.*)\1$/.exec(value)?.[2] ?? value);
  }
  return entries;
}
