import { realpath } from "node:fs/promises";
import { join } from "node:path";
import type { Mount } from "./mounts.ts";

/** Below the home directory: downloads of package managers, and none of the files in which these keep credentials. */
const CACHES = [
  ".bun/install/cache",
  ".cache/deno",
  ".cache/go-build",
  ".cache/pip",
  ".cache/pnpm",
  ".cache/uv",
  ".cache/yarn",
  ".cargo/git",
  ".cargo/registry",
  ".gradle/caches",
  ".local/share/pnpm/store",
  ".m2/repository",
  ".npm/_cacache",
  ".nuget/packages",
  ".pnpm-store",
  ".rustup/settings.toml",
  ".rustup/toolchains",
  "go/pkg/mod",
];

export async function packageCaches(home: string | undefined): Promise<Mount[]> {
  if (home === undefined) return [];
  const found = await Promise.all(
    CACHES.map(async (cache): Promise<Mount | undefined> => {
      const at = join(home, cache);
      const from = await realpath(at).catch(() => undefined);
      return from === undefined ? undefined : { kind: "read-only", at, from };
    }),
  );
  return found.filter((mount) => mount !== undefined);
}
