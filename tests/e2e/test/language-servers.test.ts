import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { expect, test } from "vitest";
import { makeRepository, Place } from "./support.ts";

const repositoryRoot = join(import.meta.dirname, "../../..");
const examples = join(repositoryRoot, "examples/lsp");

test("a plan asks TypeScript's own server, renames with it, and leaves fewer errors and no process behind", {
  timeout: 180_000,
}, async () => {
  await using place = new Place({
    PATH: [join(repositoryRoot, "node_modules/.bin"), process.env["PATH"]].join(delimiter),
  });
  const app = makeRepository(join(place.dir, "app"));
  mkdirSync(join(app, "src"));
  writeFileSync(join(app, "package.json"), '{ "type": "module" }\n');
  writeFileSync(
    join(app, "tsconfig.json"),
    '{ "compilerOptions": { "strict": true, "noEmit": true, "module": "nodenext", "types": [] } }\n',
  );
  writeFileSync(
    join(app, "src/greet.ts"),
    "export function gret(name: string): string {\n  return `🎉 ${name}`;\n}\n",
  );
  writeFileSync(
    join(app, "src/main.ts"),
    'import { greet } from "./greet.js";\n\nexport const said = greet("you");\n',
  );
  const ok = async (...args: string[]) => {
    const ran = await place.agents(args);
    expect(ran, `${args.join(" ")}\n${ran.stderr}${ran.stdout}`).toMatchObject({ code: 0 });
    return ran.stdout;
  };
  await ok("project", "create", "app", "--path", app);
  await ok("lsp", "add", join(examples, "pyright.yaml"));
  await ok("lsp", "add", join(examples, "typescript.yaml"));
  expect(await ok("lsp", "list", "--language", "python", "-o", "name")).toBe("local/pyright\n");
  expect(await ok("lsp", "show", "local/pyright")).toContain("pyright-langserver");

  const refused = await place.agents(["lsp", "test", "typescript", "--project", "app"]);
  const [, consent = ""] = /agents (trust add lsp \S+ --digest \S+)/.exec(refused.stderr) ?? [];
  expect(consent, refused.stderr).not.toBe("");
  await ok(...consent.split(" "));
  const tested = await ok("lsp", "test", "typescript", "--project", "app");
  expect(tested).toContain("Tried:       src/greet.ts: 0 errors, 0 warnings");
  expect(tested).toContain("Stopped; nothing of it is left.");

  await ok("action", "add", join(examples, "rename-checked.yaml"));
  const given = ["--arg", "file=src/greet.ts", "--arg", "from=gret", "--arg", "to=greet"];
  const id = (
    await ok("plan", "use", "rename-checked", "--profile", "trusted", ...given, "-o", "name")
  ).trim();
  const done = await ok("plan", "execute", id);
  expect(done).toContain("errors before: 1, after: 0");
  expect(await ok("plan", "diff", id)).toContain("+export function greet(name: string): string {");
  expect(readFileSync(join(app, "src/greet.ts"), "utf8")).toContain("gret(");
  await ok("plan", "apply", id, "--yes");
  expect(readFileSync(join(app, "src/greet.ts"), "utf8")).toContain("function greet(name");
  await expect.poll(() => readdirSync(join(place.dataDir, "commands"))).toEqual([]);
});
