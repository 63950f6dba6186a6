import { isAbsolute, join, relative, sep } from "node:path";
import { ChangesetRefusedError } from "@cleveragents/domain";
import { readlink } from "./native-fs.ts";
import { decodePath, shownPath } from "./native-paths.ts";
import { hasGitName, isGitName, isInside, parentsOf } from "./project-paths.ts";
import type { TouchedPath } from "./touched-paths.ts";
import { lstatOrNull } from "./tree-walk.ts";

interface Question {
  readonly planId: string;
  readonly root: string;
  /** The data directory relative to the project, if it lies inside. */
  readonly leaveOut: string | null;
  readonly touched: readonly TouchedPath[];
  /** Targets of the links that the changeset makes, by path. */
  readonly links: ReadonlyMap<string, string>;
}

/** Throws {@link ChangesetRefusedError} if the changeset would write outside the project, or make a link that leads out. */
export async function refuseEscapes(question: Question): Promise<void> {
  const byPath = new Map(question.touched.map((item) => [item.path, item]));
  for (const { path } of question.touched) {
    const refuse = (why: string) => new ChangesetRefusedError(question.planId, shownPath(path), why);
    const { leaveOut } = question;
    if (!isPlainPath(path)) throw refuse("is not a path inside the project");
    if (hasGitName(path)) throw refuse("is part of a repository's own data");
    if (leaveOut !== null && (path === leaveOut || path.startsWith(`${leaveOut}/`)))
      throw refuse("lies in the data directory");
    for (const parent of parentsOf(path)) {
      const found = await lstatOrNull(join(question.root, parent));
      // A link that the changeset itself replaces by a directory is no way out.
      if (found?.isSymbolicLink() && byPath.get(parent)?.after !== null)
        throw refuse(`leads through the link ${shownPath(parent)}`);
    }
    const target = question.links.get(path);
    if (target !== undefined) await refuseEscape(question, byPath, path, target, refuse);
  }
}

function isPlainPath(path: string): boolean {
  return path !== "" && path.split("/").every((name) => name !== "" && name !== "." && name !== "..");
}

const LONGEST_CHAIN = 40;

/** Follows the link as the kernel would once everything is applied; each link on the way counts. */
async function refuseEscape(
  question: Question,
  byPath: ReadonlyMap<string, TouchedPath>,
  path: string,
  target: string,
  refuse: (why: string) => ChangesetRefusedError,
): Promise<void> {
  const { root, links } = question;
  const pending = splitTarget(root, target, refuse);
  let at = isAbsolute(target) ? [] : path.split("/").slice(0, -1);
  for (let followed = 0; pending.length > 0; ) {
    const name = pending.shift() ?? "";
    if (name === "" || name === ".") continue;
    if (name === "..") {
      if (at.length === 0) throw refuse(`is a link that leaves the project: ${target}`);
      at = at.slice(0, -1);
      continue;
    }
    if (isGitName(name)) throw refuse(`is a link into a repository's own data: ${target}`);
    const next = [...at, name].join("/");
    const onward = links.get(next) ?? (byPath.has(next) ? undefined : await linkAt(join(root, next)));
    if (onward === undefined) {
      at = [...at, name];
      continue;
    }
    followed += 1;
    if (followed > LONGEST_CHAIN) throw refuse(`is a link that leads in a circle: ${target}`);
    pending.unshift(...splitTarget(root, onward, refuse));
    if (isAbsolute(onward)) at = [];
  }
}

/** The parts of a link's target; those of an absolute one start at the project. */
function splitTarget(root: string, target: string, refuse: (why: string) => ChangesetRefusedError): string[] {
  if (!isAbsolute(target)) return target.split("/");
  // Lexical `..` must not be resolved before links are: only a literal prefix counts as inside.
  if (!isInside(root, target.replace(/\/+$/, "") || sep))
    throw refuse(`is a link that leaves the project: ${target}`);
  return relative(root, target).startsWith("..") ? [".."] : target.slice(root.length).split("/");
}

async function linkAt(path: string): Promise<string | undefined> {
  const found = await lstatOrNull(path);
  return found?.isSymbolicLink() ? decodePath(await readlink(path)) : undefined;
}
