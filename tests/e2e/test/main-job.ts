import { mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import { git, MAIN_JOB, makeRepository, Place, type RunningServer } from "./support.ts";

/** What a plan may not touch before it is applied. */
function stateOf(repository: string) {
  return {
    status: git(repository, "status", "--porcelain=v1", "-z", "--untracked-files=all"),
    index: readFileSync(join(repository, ".git/index")).toString("base64"),
    head: git(repository, "rev-parse", "HEAD"),
    refs: git(repository, "for-each-ref"),
    config: readFileSync(join(repository, ".git/config"), "utf8"),
  };
}

/** From registering a project to its files being what the plan showed, by the command line. */
export async function mainJob(transport: "socket" | "stdio" | "http"): Promise<void> {
  await using place = new Place();
  const repository = makeRepository(join(place.dir, "lib"));
  writeFileSync(join(place.dir, "action.yaml"), MAIN_JOB);
  let server: RunningServer | undefined;
  const flags = transport === "http" ? [] : ["--transport", transport];
  mkdirSync(place.dataDir);
  if (transport === "http") {
    server = await place.server();
    flags.push("--server", server.url);
  }
  const ok = async (...args: string[]) => {
    const ran = await place.agents([...args, ...flags]);
    expect(ran, `${args.join(" ")}\n${ran.stderr}${ran.stdout}`).toMatchObject({ code: 0 });
    return ran.stdout;
  };

  await ok("project", "create", "lib", "--path", repository);
  await ok("action", "add", "action.yaml");
  const before = stateOf(repository);
  const used = JSON.parse(await ok("plan", "use", "rename-lib", "--arg", "to=Libby", "-o", "json")) as {
    plan_id: string;
  };
  await ok("plan", "execute", used.plan_id);
  const status = JSON.parse(await ok("plan", "status", used.plan_id, "-o", "json")) as {
    digest: string;
    task_state: string;
    steps: { status: string }[];
  };
  expect(status.task_state).toBe("TASK_STATE_INPUT_REQUIRED");
  expect(status.steps.map((step) => step.status)).toEqual(Array.from({ length: 9 }, () => "done"));
  expect(await ok("plan", "tree", used.plan_id)).toContain("as_given");
  const patch = await ok("plan", "diff", used.plan_id);
  const diff = JSON.parse(await ok("plan", "diff", used.plan_id, "-o", "json")) as {
    files: { path: string; status: string; previous_path?: string }[];
  };
  expect(
    diff.files.map(({ path, status: s, previous_path: from }) => [
      s,
      path,
      ...(from === undefined ? [] : [from]),
    ]),
  ).toEqual([
    ["deleted", "data/9/item-9.txt"],
    ["deleted", "docs/old.md"],
    ["renamed", "docs/renamed ü.md", "docs/names ü.md"],
    ["added", "logo.bin"],
    ["modified", "package.json"],
    ["modified", "scripts/run.sh"],
    ["added", "shell.txt"],
    ["modified", "src/index.js"],
    ["added", "src/new file.js"],
  ]);
  expect(stateOf(repository)).toEqual(before);

  // The patch is one that git takes: applied to a second copy, it gives the same tree.
  const copy = join(place.dir, "copy");
  makeRepository(copy);
  writeFileSync(join(place.dir, "plan.patch"), patch);
  git(copy, "apply", join(place.dir, "plan.patch"));

  await ok("plan", "apply", used.plan_id, "--digest", status.digest);
  const contents = (dir: string) =>
    git(dir, "ls-files", "-z", "--cached", "--others")
      .split("\0")
      .filter((path, i, all) => path !== "" && all.indexOf(path) === i)
      .sort();
  const tree = (dir: string) =>
    contents(dir).flatMap((path) => {
      const stat = statSync(join(dir, path), { throwIfNoEntry: false });
      return stat === undefined
        ? []
        : [[path, (stat.mode & 0o111) !== 0, readFileSync(join(dir, path)).toString("base64")]];
    });
  expect(tree(repository)).toEqual(tree(copy));
  const after = stateOf(repository);
  expect({ ...after, status: "" }).toEqual({ ...before, status: "" });
  expect(readFileSync(join(repository, "src/new file.js"), "utf8")).toBe("export const added = '$& $1';\n");
  expect(statSync(join(repository, "scripts/run.sh")).mode & 0o777).toBe(0o755);
  expect(readFileSync(join(repository, "ignored/out.bin"), "utf8")).toBe("built\n");

  const again = JSON.parse(await ok("plan", "apply", used.plan_id, "--yes", "-o", "json")) as {
    already: boolean;
  };
  expect(again.already).toBe(true);
  if (server !== undefined) expect(await server.stop()).toBe(0);
}
