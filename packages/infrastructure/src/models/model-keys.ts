import { open } from "node:fs/promises";
import { resolve } from "node:path";
import { ModelError } from "@cleveragents/application";
import type { Provider } from "@cleveragents/domain";

export interface ModelKeysDeps {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** What names of files are relative to. */
  readonly folder: string;
}

/** Reads a provider's key from where its settings say. Throws `ModelError`, which names the place and not the key. */
export async function readModelKey(
  { env, folder }: ModelKeysDeps,
  provider: Provider,
): Promise<string | undefined> {
  if (provider.keyFile !== undefined) return keyInFile(provider.name, resolve(folder, provider.keyFile));
  const key = provider.keyEnv === undefined ? undefined : env[provider.keyEnv]?.trim();
  return key === "" ? undefined : key;
}

async function keyInFile(provider: string, file: string): Promise<string> {
  const refuse = (why: string, cause?: unknown) =>
    new ModelError("MODEL_NOT_CONFIGURED", `the key of ${provider} is not used: its file ${why}`, { cause });
  let handle: Awaited<ReturnType<typeof open>>;
  try {
    handle = await open(file, "r");
  } catch (cause) {
    throw refuse("cannot be opened", cause);
  }
  try {
    const { mode } = await handle.stat();
    if (process.platform !== "win32" && (mode & 0o077) !== 0)
      throw refuse(`can be read by others (mode ${(mode & 0o777).toString(8)}; chmod 600)`);
    const key = (await handle.readFile("utf8")).trim();
    if (key === "" || /\s/.test(key)) throw refuse(key === "" ? "is empty" : "holds more than a key");
    return key;
  } finally {
    await handle.close();
  }
}
