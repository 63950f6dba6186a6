import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { expect } from "vitest";
import { makeRepository, Place } from "./support.ts";

export const repositoryRoot = join(import.meta.dirname, "../../..");
const examples = join(repositoryRoot, "examples/lsp");

export interface LanguageProject {
  /** Where the server is found. */
  readonly path: string;
  /** The example that describes it, and the name that it gives. */
  readonly example: string;
  readonly server: string;
  readonly files: Readonly<Record<string, string>>;
  /** Declares `gret`, which another file wants to be `greet`. */
  readonly declares: string;
}

/**
 * Registers a server and the example's action, gives consent, and lets a plan rename on a copy of the project: with fewer
 * errors after it than before, and with nothing left running.
 */
export async function renameInPlan({
  path,
  example,
  server,
  files,
  declares,
}: LanguageProject): Promise<void> {
  await using place = new Place({ PATH: [path, process.env["PATH"]].join(delimiter) });
  const app = makeRepository(join(place.dir, "app"));
  mkdirSync(join(app, "src"), { recursive: true });
  for (const [file, content] of Object.entries(files)) writeFileSync(join(app, file), content);
  const ok = async (...args: string[]) => {
    const ran = await place.agents(args);
    expect(ran, `${args.join(" ")}\n${ran.stderr}${ran.stdout}`).toMatchObject({ code: 0 });
    return ran.stdout;
  };
  await ok("project", "create", "app", "--path", app);
  // Who is registered is asked, and needs consent: the repository has files of JavaScript too.
  for (const file of new Set(["pyright.yaml", example])) await ok("lsp", "add", join(examples, file));
  expect(await ok("lsp", "list", "--language", "python", "-o", "name")).toBe("local/pyright\n");
  expect(readFileSync(join(examples, example), "utf8")).toContain(server);

  const refused = await place.agents(["lsp", "test", server, "--project", "app"]);
  const [, consent = ""] = /agents (trust add lsp \S+ --digest \S+)/.exec(refused.stderr) ?? [];
  expect(consent, refused.stderr).not.toBe("");
  await ok(...consent.split(" "));
  const tested = await ok("lsp", "test", server, "--project", "app");
  expect(tested).toMatch(/Tried: +src\/\S+: \d errors, \d warnings/);
  expect(tested).toContain("Stopped; nothing of it is left.");

  await ok("action", "add", join(examples, "rename-checked.yaml"));
  const given = ["--arg", `file=${declares}`, "--arg", "from=gret", "--arg", "to=greet"];
  const id = (
    await ok("plan", "use", "rename-checked", "--profile", "trusted", ...given, "-o", "name")
  ).trim();
  expect(await ok("plan", "execute", id)).toContain("errors before: 1, after: 0");
  expect(readFileSync(join(app, declares), "utf8")).toContain("gret(");
  await ok("plan", "apply", id, "--yes");
  expect(readFileSync(join(app, declares), "utf8")).toContain("greet(");
  const commands = join(place.env["HOME"] as string, ".cleveragents/commands");
  await expect.poll(() => readdirSync(commands)).toEqual([]);
}
