import { CliError } from "../cli-error.ts";
import { EXIT } from "../exit-codes.ts";

export type TomlValue = string | number | boolean;

/**
 * A file's text with one value set, or taken out (`undefined`), and everything else as it was, comments included. Throws
 * `CliError` where the file is written in a way that only a person should change.
 */
export async function editToml(text: string, name: string, value: TomlValue | undefined): Promise<string> {
  const [section = "", key = ""] = name.split(".");
  const lines = text === "" ? [] : text.replace(/\n$/, "").split("\n");
  const head = lines.findIndex((line) => headerOf(line) === section);
  const next = lines.findIndex((line, at) => at > head && headerOf(line) !== undefined);
  const end = next === -1 ? lines.length : next;
  const at = head === -1 ? -1 : lines.findIndex((line, i) => i > head && i < end && keyOf(line) === key);
  const line = `${key} = ${JSON.stringify(value)}`;
  if (value === undefined) {
    if (at !== -1) lines.splice(at, 1);
  } else if (at !== -1) lines[at] = line;
  else if (head !== -1) lines.splice(lastFilled(lines, head, end) + 1, 0, line);
  else lines.push(...(lines.length === 0 ? [] : [""]), `[${section}]`, line);
  const edited = lines.length === 0 ? "" : `${lines.join("\n")}\n`;
  if (await holds(edited, section, key, value)) return edited;
  throw new CliError("CONFIG_INVALID", `${name} stands there in a way that is left to you to change`, {
    exitCode: EXIT.FAILED,
  });
}

function headerOf(line: string): string | undefined {
  return /^\s*\[\s*([^[\]]+?)\s*\]\s*(#.*)?$/.exec(line)?.[1];
}

function keyOf(line: string): string | undefined {
  return /^\s*"?([A-Za-z0-9_-]+)"?\s*=/.exec(line)?.[1];
}

function lastFilled(lines: readonly string[], head: number, end: number): number {
  let last = end - 1;
  while (last > head && lines[last]?.trim() === "") last -= 1;
  return last;
}

async function holds(
  text: string,
  section: string,
  key: string,
  value: TomlValue | undefined,
): Promise<boolean> {
  const { parse } = await import("smol-toml");
  try {
    const entries = parse(text)[section];
    const found = typeof entries === "object" ? (entries as Record<string, unknown>)[key] : undefined;
    return found === value;
  } catch {
    return false;
  }
}
