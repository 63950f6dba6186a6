import { open } from "node:fs/promises";
import { join } from "node:path";
import { RemoteAgentError } from "@cleveragents/application";
import type { RemoteCredential } from "@cleveragents/domain";

export interface CredentialPlaces {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The folder of the files that credentials are read from. */
  readonly folder: string;
}

export interface SentCredential {
  readonly header: string;
  readonly value: string;
}

/** Reads what is sent to somebody elsewhere. Throws `RemoteAgentError`, which names the place and not the secret. */
export async function readCredential(
  { env, folder }: CredentialPlaces,
  credential: RemoteCredential | undefined,
): Promise<SentCredential | undefined> {
  if (credential === undefined) return undefined;
  const { header, file, env: variable = "" } = credential;
  // A variable of a process that runs cannot be set any more; a file of its name takes its place.
  const secret =
    file === undefined
      ? env[variable]?.trim() || (await inFile(join(folder, variable), variable, { optional: true }))
      : await inFile(join(folder, file), file);
  if (secret === undefined)
    throw missing(`the variable ${variable} is not set, and there is no file keys/${variable}`);
  if (secret === "") throw missing(`the file keys/${file ?? variable} is empty`);
  if (/[\r\n\0]/.test(secret)) throw missing("it holds more than one line");
  return header === undefined
    ? { header: "authorization", value: `Bearer ${secret}` }
    : { header: header.toLowerCase(), value: secret };
}

async function inFile(
  path: string,
  name: string,
  { optional = false }: { readonly optional?: boolean } = {},
): Promise<string | undefined> {
  const handle = await open(path, "r").catch((cause: unknown) => {
    if (optional && (cause as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw missing(`the file keys/${name} cannot be opened`, cause);
  });
  if (handle === undefined) return undefined;
  try {
    const { mode } = await handle.stat();
    if (process.platform !== "win32" && (mode & 0o077) !== 0)
      throw missing(`the file keys/${name} can be read by others (chmod 600)`);
    return (await handle.readFile("utf8")).trim();
  } finally {
    await handle.close();
  }
}

function missing(why: string, cause?: unknown): RemoteAgentError {
  return new RemoteAgentError("REMOTE_AUTHENTICATION", `its credential is not there: ${why}`, {
    unsent: true,
    cause,
  });
}
