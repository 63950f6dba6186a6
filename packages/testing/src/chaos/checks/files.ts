import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";

/** Names under which something waits for a moment before it has its own. */
const TEMPORARY =
  /\.(?:tmp|new|stale|part)$|^tmp_|\.lock$|\.lock\.|^\.cleveragents-|^owner\.json\.|^making$|^index\.[0-9a-f]/;
/** Temporary by name alone: the owner's lock is a file that stays. */
const STAYING = new Set(["owner.lock"]);

/** No file of a project or a data directory is half-written or left over by a process that is gone. */
export async function checkFiles(dataDir: string, project: string): Promise<readonly string[]> {
  const left = async (root: string, what: string) =>
    (await namesBelow(root)).flatMap((path) => {
      const name = path.slice(path.lastIndexOf("/") + 1);
      return TEMPORARY.test(name) && !STAYING.has(name) ? [`${what}: ${path} is left over`] : [];
    });
  return [...(await left(dataDir, "data directory")), ...(await left(project, "project"))];
}

/**
 * Of plans that are over nothing is kept: no sandbox, no tree, no journal, no lock, no command. Old contents are set
 * aside only where somebody changed a file during an apply, which `contested` says.
 */
export async function checkNothingKept(
  dataDir: string,
  { contested = false }: { readonly contested?: boolean } = {},
): Promise<readonly string[]> {
  const problems: string[] = [];
  for (const folder of ["sandboxes", "commands", "journal/locks", ...(contested ? [] : ["journal/left"])])
    for (const name of await namesIn(join(dataDir, folder))) problems.push(`${folder} still has ${name}`);
  for (const name of await namesIn(join(dataDir, "journal")))
    if (name.startsWith("apply-")) problems.push(`journal still has ${name}`);
  for (const store of await namesIn(join(dataDir, "stores"))) {
    const packed = await readFile(join(dataDir, "stores", store, "packed-refs"), "utf8").catch(() => "");
    const loose = (await namesBelow(join(dataDir, "stores", store, "refs"))).map((ref) => `refs/${ref}`);
    const refs = [...loose, ...(packed.match(/refs\/\S+/g) ?? [])];
    for (const ref of refs) if (PLAN_REF.test(ref)) problems.push(`stores/${store} still keeps ${ref}`);
  }
  return problems;
}

const PLAN_REF = /^refs\/cleveragents\/[0-9A-Z]{26}\//;

async function namesIn(directory: string): Promise<string[]> {
  return await readdir(directory).catch(() => []);
}

async function namesBelow(root: string): Promise<string[]> {
  const entries = await readdir(root, { recursive: true, withFileTypes: true }).catch(() => []);
  return entries
    .filter((entry) => !entry.isDirectory())
    .map((entry) => join(entry.parentPath, entry.name).slice(root.length + 1));
}
