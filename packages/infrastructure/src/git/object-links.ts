import { link, mkdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { mapLimit } from "./map-limit.ts";
import { namesIn } from "./tree-walk.ts";
import { errorCode } from "./workspace-failure.ts";

/** Why a link may fail without harm: the content is then simply written anew. */
const HARMLESS = new Set([
  "EEXIST",
  "EXDEV",
  "EPERM",
  "EACCES",
  "EMLINK",
  "ENOENT",
  "ENOTSUP",
  "EOPNOTSUPP",
  "ENOSYS",
]);

/**
 * Links packs, and the loose objects among `wanted`, from the user's object directory into ours, as `git clone --local`
 * does: nothing is copied, and what we hold survives when the user's repository collects garbage, which it would not
 * through alternates.
 */
export async function linkObjects(from: string, to: string, wanted: ReadonlySet<string>): Promise<void> {
  await linkPacks(join(from, "pack"), join(to, "pack"));
  await linkLoose(from, to, wanted);
}

async function linkPacks(from: string, to: string): Promise<void> {
  const names = new Set(await namesIn(from));
  for (const name of names) {
    if (!/^pack-[0-9a-f]{40}\.pack$/.test(name)) continue;
    const stem = name.slice(0, -".pack".length);
    // A promisor's pack lacks objects on purpose; ours must be whole.
    if (!names.has(`${stem}.idx`) || names.has(`${stem}.promisor`)) continue;
    if (!(await linked(join(from, name), join(to, name)))) continue;
    // Kept: our own garbage collection must not unpack the user's whole history.
    await writeFile(join(to, `${stem}.keep`), "linked from the project\n");
    await linked(join(from, `${stem}.idx`), join(to, `${stem}.idx`));
  }
}

/** Packs of ours that the user's repository has no more; only for a store that no plan relies on. */
export async function dropStalePacks(from: string, to: string): Promise<boolean> {
  const theirs = new Set(await namesIn(join(from, "pack")));
  let dropped = false;
  for (const name of await namesIn(join(to, "pack"))) {
    if (!name.endsWith(".keep")) continue;
    const stem = name.slice(0, -".keep".length);
    if (theirs.has(`${stem}.pack`)) continue;
    for (const suffix of [".idx", ".pack", ".keep"])
      await rm(join(to, "pack", stem + suffix), { force: true });
    dropped = true;
  }
  return dropped;
}

async function linkLoose(from: string, to: string, wanted: ReadonlySet<string>): Promise<void> {
  const fans = (await namesIn(from)).filter((name) => /^[0-9a-f]{2}$/.test(name));
  const found: { readonly fan: string; readonly name: string }[] = [];
  for (const fan of fans) {
    const names = (await namesIn(join(from, fan))).filter((name) => wanted.has(fan + name));
    if (names.length > 0) await mkdir(join(to, fan), { recursive: true });
    for (const name of names) found.push({ fan, name });
  }
  await mapLimit(found, 32, ({ fan, name }) => linked(join(from, fan, name), join(to, fan, name)));
}

async function linked(from: string, to: string): Promise<boolean> {
  try {
    await link(from, to);
    return true;
  } catch (error) {
    const code = errorCode(error);
    if (code === undefined || !HARMLESS.has(code)) throw error;
    return code === "EEXIST";
  }
}
