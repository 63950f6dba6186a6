import type { CliContext } from "../context.ts";
import { checkedValue } from "./config-error.ts";
import { editToml } from "./edit-toml.ts";
import type { ConfigKey } from "./keys.ts";

/** Sets a key in a file, or takes it out; the file is written whole, and for its user alone. */
export async function writeConfig(
  { readFile, fileMode, writePrivate }: Pick<CliContext, "readFile" | "fileMode" | "writePrivate">,
  file: string,
  changes: readonly { readonly key: ConfigKey; readonly value: string | undefined }[],
): Promise<void> {
  const before = (await fileMode(file)) === undefined ? "" : await readFile(file);
  let text = before;
  for (const { key, value } of changes)
    text = await editToml(text, key.name, value === undefined ? undefined : typed(key, value));
  if (text !== before) await writePrivate(file, text);
}

function typed(key: ConfigKey, value: string) {
  const checked = checkedValue(key, value, "config set");
  if (key.type === "number") return Number(checked);
  return key.type === "boolean" ? checked === "true" : checked;
}
