import { fileURLToPath } from "node:url";
import { LspServerSchema, lspServerFrom } from "@cleveragents/domain";
import { LspCodeIntelligence } from "@cleveragents/infrastructure/lsp";
import { expect, test } from "vitest";
import { LspWorld } from "./lsp-fixtures.ts";

const tsc = fileURLToPath(new URL("../../../node_modules/.bin/tsc", import.meta.url));
const typescript = lspServerFrom(
  LspServerSchema.parse({
    name: "local/typescript",
    language: "typescript",
    command: tsc,
    args: ["--lsp", "--stdio"],
  }),
);
const FILES = {
  "package.json": '{ "type": "module" }',
  "tsconfig.json": '{ "compilerOptions": { "strict": true, "noEmit": true } }',
  "a.ts": 'export const party = "🎉"; export function greet(name: string): string { return party + name; }\n',
  "b.ts":
    'import { greet } from "./a.ts";\nexport const said: number = greet("you");\nconst x = "🎉🎉" + greet("me");\n',
};

test("TypeScript's own server judges, finds and renames, in lines with emojis, and hears of what others write", async () => {
  await using world = await LspWorld.open(FILES, [typescript]);
  const tested = await new LspCodeIntelligence(world).test(
    typescript,
    world.sandbox,
    new AbortController().signal,
  );
  expect(tested).toMatchObject({ diagnostics: "pull", leftRunning: 0, tried: { path: "a.ts", errors: 0 } });
  expect(tested.capabilities).toEqual(
    expect.arrayContaining(["diagnostics", "hover", "references", "rename"]),
  );

  expect(await world.ask("lsp/diagnostics", {})).toMatchObject({
    checked: 2,
    errors: 2, // one is the import of a .ts file
    stale: false,
    files: [
      {
        path: "b.ts",
        diagnostics: expect.arrayContaining([expect.objectContaining({ code: 2322, line: 2 })]),
      },
    ],
  });
  await world.write("b.ts", FILES["b.ts"].replace("./a.ts", "./a.js").replace(": number", ""));
  await world.write("a.js.d.ts", "");
  expect(await world.ask("lsp/diagnostics", { path: "b.ts" })).toMatchObject({ errors: 0 });
  expect(await world.ask("lsp/hover", { path: "b.ts", line: 3, symbol: "greet" })).toMatchObject({
    contents: expect.stringContaining("greet(name: string): string"),
    line: 3,
    character: 18,
  });
  expect(await world.ask("lsp/references", { path: "b.ts", line: 3, symbol: "greet" })).toMatchObject({
    total: 4,
  });
  // At a use that is imported: it is renamed where it is declared, and everywhere.
  expect(
    await world.ask("lsp/rename", { path: "b.ts", line: 3, symbol: "greet", new_name: "welcome" }),
  ).toMatchObject({ files: [{ path: "a.ts" }, { path: "b.ts" }] });
  expect(await world.read("b.ts")).toContain('"🎉🎉" + welcome("me")');
  expect(await world.read("a.ts")).toContain("export function welcome(name");
  expect(await world.ask("lsp/diagnostics", {})).toMatchObject({ errors: 0, stale: false });

  const { text, data } = await new LspCodeIntelligence(world).context({
    planId: "plan",
    sandbox: world.sandbox,
    files: ["b.ts", "a.ts", "package.json"],
    maxCharacters: 2000,
    signal: new AbortController().signal,
  });
  expect(text).toMatch(/^Declared:\nb\.ts:1 .*\nb\.ts:2 const said: string\n/);
  expect(text).toContain("a.ts:1 function welcome(name: string): string");
  expect(data).toMatchObject({ type: "code_context", entries: expect.arrayContaining([]) });
});
