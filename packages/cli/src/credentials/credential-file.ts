import { dirname, join } from "node:path";
import { CliError } from "../cli-error.ts";
import { userConfigFile } from "../config/load-config.ts";
import type { CliContext } from "../context.ts";
import { EXIT } from "../exit-codes.ts";
import type { Credential } from "./credential.ts";

export type CredentialContext = Pick<
  CliContext,
  "env" | "home" | "readFile" | "fileMode" | "writePrivate" | "exclusively"
>;

const OTHERS = 0o077;

/** Beside the user's configuration, for this user alone. */
export function credentialFile(context: Pick<CliContext, "env" | "home">): string {
  return join(dirname(userConfigFile(context)), "credentials.json");
}

/** By address. Throws where others may read the file, or it is none of ours. */
export async function readCredentials(
  context: CredentialContext,
): Promise<Readonly<Record<string, Credential>>> {
  const file = credentialFile(context);
  const mode = await context.fileMode(file);
  if (mode === undefined) return {};
  if ((mode & OTHERS) !== 0)
    throw new CliError("CREDENTIALS_EXPOSED", `others may read ${file}`, {
      hint: `chmod 600 ${file}; if somebody has read it, end the keys in it: agents auth key revoke`,
      exitCode: EXIT.AUTHENTICATION,
    });
  const text = await context.readFile(file);
  try {
    const { credentials } = JSON.parse(text) as { readonly credentials?: Record<string, Credential> };
    if (typeof credentials === "object" && credentials !== null) return credentials;
  } catch {
    // Told below; what it says of the text could be a part of a secret.
  }
  throw new CliError("CREDENTIALS_UNREADABLE", `${file} is not as agents login writes it`, {
    hint: `remove it, and sign in again: rm ${file}`,
    exitCode: EXIT.AUTHENTICATION,
  });
}

/** Keeps a credential for an address in the place of another one, or none any more. Answers whether that changed anything. */
export async function keepCredential(
  context: CredentialContext,
  address: string,
  credential: Credential | undefined,
): Promise<boolean> {
  // Where there is nothing to forget, nothing is made either.
  if (credential === undefined && (await readCredentials(context))[address] === undefined) return false;
  return context.exclusively(credentialFile(context), () => putCredential(context, address, credential));
}

/** The same, for who has the file to themselves already. */
export async function putCredential(
  context: CredentialContext,
  address: string,
  credential: Credential | undefined,
): Promise<boolean> {
  const { [address]: before, ...others } = await readCredentials(context);
  if (before === undefined && credential === undefined) return false;
  const credentials = credential === undefined ? others : { ...others, [address]: credential };
  await context.writePrivate(
    credentialFile(context),
    `${JSON.stringify({ version: 1, credentials }, null, 2)}\n`,
  );
  return true;
}
