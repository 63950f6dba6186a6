import fs from "node:fs";
import { join } from "node:path";

/** How the owner of a data directory is reached. */
export interface Discovery {
  readonly version: 1;
  readonly pid: number;
  /** ISO 8601. */
  readonly started_at: string;
  readonly product_version: string;
  /** Path of its Unix socket. */
  readonly socket: string;
  readonly http?: { readonly url: string };
  /** Credential of the local user over HTTP. */
  readonly token: string;
}

const discoveryFile = (dataDir: string) => join(dataDir, "owner.json");

/** Undefined when no owner has left its addresses, or when they cannot be understood: then nobody can be reached. */
export async function readDiscovery(dataDir: string): Promise<Discovery | undefined> {
  try {
    // A few hundred bytes: quicker read than waited for, and a part of how fast each command starts.
    return toDiscovery(JSON.parse(fs.readFileSync(discoveryFile(dataDir), "utf8")));
  } catch {
    return undefined;
  }
}

/** Puts the file in place whole, for this user alone. The caller owns the directory: what another one has left of it goes. */
export async function writeDiscovery(dataDir: string, discovery: Discovery): Promise<void> {
  const file = discoveryFile(dataDir);
  // Always the same name: what a process that was killed has left is written over.
  const draft = `${file}.tmp`;
  try {
    await fs.promises.rm(draft, { force: true });
    await fs.promises.writeFile(draft, `${JSON.stringify(discovery, null, 2)}\n`, {
      mode: 0o600,
      flag: "wx",
    });
    await fs.promises.rename(draft, file);
  } catch (error) {
    await fs.promises.rm(draft, { force: true });
    throw error;
  }
}

/** Takes the file away if it is still that of this process. */
export async function removeDiscovery(dataDir: string, pid: number): Promise<void> {
  const present = await readDiscovery(dataDir);
  if (present?.pid === pid) await fs.promises.rm(discoveryFile(dataDir), { force: true });
}

function toDiscovery(json: unknown): Discovery | undefined {
  if (typeof json !== "object" || json === null) return undefined;
  const { version, pid, started_at, product_version, socket, http, token } = json as Record<string, unknown>;
  if (version !== 1 || typeof pid !== "number" || !Number.isSafeInteger(pid) || pid <= 0) return undefined;
  if (!isText(started_at) || !isText(product_version) || !isText(socket) || !isText(token)) return undefined;
  const known = { version, pid, started_at, product_version, socket, token } as const;
  if (http === undefined) return known;
  const url = typeof http === "object" && http !== null && "url" in http ? http.url : undefined;
  return isText(url) ? { ...known, http: { url } } : undefined;
}

function isText(value: unknown): value is string {
  return typeof value === "string" && value !== "";
}
