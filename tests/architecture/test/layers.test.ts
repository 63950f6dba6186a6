import { readdirSync } from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";
import { expect, test } from "vitest";
import { cruise, root } from "./cruise.ts";
import { createProbeWorkspace, packageFolders } from "./workspace.ts";

const folders = ["packages", "apps", "tests", "bench"];
const timeout = 60_000;

test("the workspace follows the rules, and every source file was read", { timeout }, async () => {
  const { violations, modules } = await cruise(root, folders);
  expect(violations).toEqual([]);
  const read = new Set(modules);
  for (const folder of packageFolders) {
    const sources = ["src", "test"].flatMap((part) => typescriptFiles(`${folder}/${part}`));
    if (folder.startsWith("packages/")) expect(sources, `${folder} has no source`).not.toEqual([]);
    expect(sources.filter((file) => !read.has(file))).toEqual([]);
  }
});

/** One file with one import. `rule` must report it, or nothing may, where there is none. */
interface Probe {
  file: string;
  imports: string;
  rule?: string;
  /** How the import is written; "@" stands for the imported path. */
  as?: string;
}

const S = "@cleveragents";
const from = (home: string) => `packages/${home}/src/probe`;

/** Imports of workspace packages. They must be reported whether or not pnpm linked the package. */
const edges: Probe[] = [
  ...["domain", "application", "infrastructure", "transport-http/client", "testing"].map((to) => ({
    file: from("protocol"),
    imports: `${S}/${to}`,
    rule: "protocol-layer",
  })),
  ...["protocol", "application", "infrastructure/sqlite", "transport-stdio/client", "cli"].map((to) => ({
    file: from("domain"),
    imports: `${S}/${to}`,
    rule: "domain-layer",
  })),
  ...["infrastructure", "infrastructure/memory", "transport-http/server", "cli", "testing"].map((to) => ({
    file: from("application"),
    imports: `${S}/${to}`,
    rule: "application-layer",
  })),
  ...["transport-http/server", "transport-stdio/client", "cli", "testing"].map((to) => ({
    file: from("infrastructure"),
    imports: `${S}/${to}`,
    rule: "infrastructure-layer",
  })),
  ...["domain", "application", "infrastructure/process", "transport-http/client", "testing"].map((to) => ({
    file: from("transport-stdio"),
    imports: `${S}/${to}`,
    rule: "transport-stdio-layer",
  })),
  ...["domain", "application", "infrastructure/auth", "transport-stdio/server", "cli"].map((to) => ({
    file: from("transport-http"),
    imports: `${S}/${to}`,
    rule: "transport-http-layer",
  })),
  ...[
    "domain",
    "application",
    "infrastructure",
    "transport-stdio/server",
    "transport-http/server",
    "testing",
  ].map((to) => ({ file: from("cli"), imports: `${S}/${to}`, rule: "cli-layer" })),
  ...["infrastructure/memory", "cli"].map((to) => ({
    file: from("testing"),
    imports: `${S}/${to}`,
    rule: "testing-layer",
  })),

  // However it is written, an import is an import.
  ...[
    'import type { it } from "@";\nexport type It = typeof it;',
    'export * from "@";',
    'export type * from "@";',
    'export const it = () => import("@");',
    'export type It = import("@").It;',
  ].map((as) => ({ file: from("cli"), imports: `${S}/infrastructure`, rule: "cli-layer", as })),

  // Tests of a package keep to its layer, save what LAYERS grants them.
  { file: "packages/protocol/src/probe.test", imports: `${S}/testing`, rule: "protocol-layer-tests" },
  { file: "packages/domain/src/probe.test", imports: `${S}/application`, rule: "domain-layer-tests" },
  {
    file: "packages/application/test/probe.test",
    imports: `${S}/infrastructure`,
    rule: "application-layer-tests",
  },
  { file: "packages/infrastructure/test/probe", imports: `${S}/cli`, rule: "infrastructure-layer-tests" },
  {
    file: "packages/transport-stdio/src/probe.test",
    imports: `${S}/domain`,
    rule: "transport-stdio-layer-tests",
  },
  {
    file: "packages/transport-http/src/probe.soak",
    imports: `${S}/testing`,
    rule: "transport-http-layer-tests",
  },
  { file: "packages/cli/test/probe.test", imports: `${S}/application`, rule: "cli-layer-tests" },
  { file: "packages/testing/src/probe.test", imports: `${S}/cli`, rule: "testing-layer-tests" },

  { file: from("cli"), imports: `${S}/infrastructure`, rule: "only-apps-wire-infrastructure" },
  { file: from("application"), imports: `${S}/server`, rule: "nothing-imports-apps" },
  { file: "tests/e2e/test/probe.test", imports: `${S}/server`, rule: "nothing-imports-apps" },
  { file: "apps/server/src/probe", imports: `${S}/bench`, rule: "nothing-imports-tests" },
  { file: "apps/server/src/probe", imports: `${S}/testing`, rule: "testing-only-in-tests" },
];

/** Imports of files and libraries. */
const others: Probe[] = [
  { file: from("cli"), imports: "../../infrastructure/src/index.ts", rule: "enter-by-the-door" },
  { file: from("cli"), imports: "../../infrastructure/src/index.ts", rule: "cli-layer" },
  { file: "bench/src/probe", imports: "../../packages/domain/src/index.ts", rule: "enter-by-the-door" },
  { file: from("domain"), imports: "../../../apps/server/src/compose.ts", rule: "nothing-imports-apps" },
  { file: from("application"), imports: `${S}/domain/src/index.ts`, rule: "no-unresolvable" },
  { file: from("cli"), imports: `${S}/transport-stdio`, rule: "no-unresolvable" },
  { file: from("application"), imports: "./missing.ts", rule: "no-unresolvable" },
  { file: from("protocol"), imports: "node:fs", rule: "protocol-no-node" },
  { file: from("domain"), imports: "node:crypto", rule: "domain-no-node" },
  { file: from("domain"), imports: "path", rule: "domain-no-node" },
  { file: from("protocol"), imports: "left-pad", rule: "protocol-npm" },
  { file: from("domain"), imports: "left-pad", rule: "domain-npm" },
  { file: from("domain"), imports: "left-pad", rule: "declared-dependencies-only" },
  { file: from("cli"), imports: "zod", rule: "declared-dependencies-only" },
  { file: "bench/src/probe", imports: "left-pad", rule: "declared-dependencies-only" },
  { file: from("cli"), imports: "dev-only", rule: "no-dev-dependency-in-src" },
  { file: "packages/transport-http/src/client/probe", imports: "node:http", rule: "http-client-no-node" },
  {
    file: "packages/transport-http/src/client/probe",
    imports: "../server/index.ts",
    rule: "transport-client-without-server",
  },
  { file: from("application"), imports: "./some.test.ts", rule: "no-test-code-in-src" },
  { file: "packages/domain/src/round", imports: "./about.ts", rule: "no-circular" },
];

const allowed: Probe[] = [
  { file: from("protocol"), imports: "zod" },
  { file: from("protocol"), imports: "ulid" },
  { file: from("domain"), imports: "zod" },
  { file: from("application"), imports: `${S}/domain` },
  { file: from("application"), imports: `${S}/protocol` },
  { file: from("application"), imports: "node:crypto" },
  { file: from("infrastructure"), imports: `${S}/protocol` },
  { file: from("infrastructure"), imports: `${S}/application` },
  { file: "packages/infrastructure/test/probe.test", imports: `${S}/testing` },
  { file: from("transport-stdio"), imports: `${S}/protocol` },
  { file: "packages/transport-http/src/server/probe", imports: "node:http" },
  { file: from("cli"), imports: `${S}/transport-stdio/client` },
  { file: from("cli"), imports: `${S}/transport-http/client` },
  { file: "packages/cli/test/probe.test", imports: `${S}/transport-http/server` },
  { file: "packages/protocol/src/probe.test", imports: "node:fs" },
  { file: from("testing"), imports: `${S}/transport-stdio/server` },
  { file: "apps/server/src/probe", imports: `${S}/infrastructure/openworkflow` },
  { file: "apps/server/test/probe.test", imports: `${S}/testing` },
  { file: "bench/src/probe", imports: `${S}/infrastructure/sqlite` },
  { file: "tests/e2e/test/probe.test", imports: `${S}/testing` },
];

/** Writes each probe into a file of its own and returns what was reported of each. */
async function report(probes: Probe[], options: { linked: boolean; built: boolean }) {
  using workspace = createProbeWorkspace(options);
  workspace.write("apps/server/src/compose.ts", "export const it = 1;\n");
  workspace.write("packages/application/src/some.test.ts", "export const it = 1;\n");
  workspace.write("packages/domain/src/about.ts", 'export { it } from "./round-0.ts";\n');
  // The number keeps files apart, and stands where the file's kind (".test") is not lost.
  const perFile = new Map<string, number>();
  const files = probes.map(({ file, imports, as = 'export { it } from "@";' }) => {
    const count = perFile.get(file) ?? 0;
    perFile.set(file, count + 1);
    const [, stem, kind = ""] = /^(.*?)([.][a-z]+)?$/.exec(file) ?? [];
    const target = `${stem}-${count}${kind}.ts`;
    workspace.write(target, `${as.replace("@", imports)}\n`);
    return target;
  });
  const { violations, modules } = await cruise(workspace.folder, folders);
  expect(files.filter((file) => !modules.includes(file))).toEqual([]);
  return probes.map((probe, index) => ({
    probe,
    rules: violations
      // A cycle is reported once, of any of its files.
      .filter(({ from, cycle }) => [from, ...(cycle ?? []).map(({ name }) => name)].includes(files[index]!))
      .map(({ rule }) => rule.name),
  }));
}

for (const options of [
  { linked: true, built: false },
  { linked: true, built: true },
  { linked: false, built: false },
]) {
  const state = `${options.linked ? "linked" : "not linked"}, ${options.built ? "built" : "not built"}`;
  test(`every forbidden import is reported by its rule (${state})`, { timeout }, async () => {
    const probes = options.linked ? [...edges, ...others] : edges;
    for (const { probe, rules } of await report(probes, options)) {
      expect(rules, `${probe.file} imports ${probe.imports}`).toContain(probe.rule);
    }
  });
}

test("imports that a layer grants are not reported", { timeout }, async () => {
  for (const { probe, rules } of await report(allowed, { linked: true, built: false })) {
    expect(rules, `${probe.file} imports ${probe.imports}`).toEqual([]);
  }
});

test("every rule has a probe, and says what to do next", () => {
  const { forbidden } = createRequire(import.meta.url)(path.join(root, ".dependency-cruiser.cjs")) as {
    forbidden: { name: string; severity: string; comment?: string }[];
  };
  const probed = new Set([...edges, ...others].map(({ rule }) => rule));
  expect(forbidden.filter(({ name }) => !probed.has(name)).map(({ name }) => name)).toEqual([]);
  for (const { comment, severity } of forbidden) {
    expect(comment).toMatch(/[.] [A-Z]/);
    expect(severity).toBe("error");
  }
});

function typescriptFiles(folder: string): string[] {
  try {
    return readdirSync(path.join(root, folder), { recursive: true, encoding: "utf8" })
      .filter((file) => file.endsWith(".ts") && !file.includes("node_modules"))
      .map((file) => path.posix.join(folder, file));
  } catch {
    return []; // not every package has both folders
  }
}
