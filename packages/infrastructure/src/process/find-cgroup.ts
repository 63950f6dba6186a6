import { readFile } from "node:fs/promises";
import path from "node:path";

/**
 * Where this process could make groups beside its own: what the operator has named, else the folder around its own
 * group, which is where systemd delegates; else its own, if that is the root, the only one with processes and groups.
 */
export async function cgroupPlaces(
  named: string | undefined,
  proc = "/proc/self",
): Promise<readonly string[]> {
  if (named !== undefined && named !== "") return path.isAbsolute(named) ? [named] : [];
  const read = async (name: string) => await readFile(path.join(proc, name), "utf8").catch(() => "");
  const own = /^0::(\/.*)$/m.exec(await read("cgroup"))?.[1];
  const mount = (await read("mountinfo")).split("\n").find((line) => / - cgroup2 /.test(line));
  const [, , , root, point] = mount?.split(" ") ?? [];
  if (own === undefined || root === undefined || point === undefined) return [];
  // What is mounted may begin further down than the names do.
  if (root !== "/" && own !== root && !own.startsWith(`${root}/`)) return [];
  const below = root === "/" ? own : own.slice(root.length);
  const mounted = unescaped(point);
  return below === "/" || below === "" ? [mounted] : [path.dirname(path.join(mounted, below))];
}

/** Octal, as the kernel writes spaces in paths. */
const unescaped = (text: string): string =>
  text.replace(/\\([0-7]{3})/g, (_, octal: string) => String.fromCharCode(Number.parseInt(octal, 8)));
