import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import type { GraphRuntime } from "@cleveragents/application";
import { atRest } from "@cleveragents/testing";
import { expect, test } from "vitest";
import { openAltered } from "./altered-server.ts";

const ROOT = resolve(import.meta.dirname, "../../..");

const read = new Map<string, string[]>();

/** What a file of ours imports before it runs; types are gone by then. */
function importsOf(file: string): string[] {
  const known = read.get(file);
  if (known !== undefined) return known;
  const text = readFileSync(file, "utf8");
  const names = [
    ...text.matchAll(/^(?:import|export)\s+(?!type\b)(?:[^;"']*?\sfrom\s+)?["']([^"']+)["']/gm),
  ].map(([, name]) => name as string);
  read.set(file, names);
  return names;
}

/** Everything that is loaded with a file, without what it reaches for later. */
function loadedWith(entry: string): ReadonlySet<string> {
  const outside = new Set<string>();
  const seen = new Set([entry]);
  for (const file of seen)
    for (const name of importsOf(file)) {
      const own = /^@cleveragents\/([a-z-]+)(?:\/(.+))?$/.exec(name);
      const found = name.startsWith(".")
        ? resolve(dirname(file), name)
        : own === null
          ? undefined
          : ["", "/index"]
              .flatMap((end) => [
                `packages/${own[1]}/src/${own[2] ?? "index"}${own[2] === undefined ? "" : end}.ts`,
              ])
              .map((path) => join(ROOT, path))
              .find((path) => existsSync(path));
      if (found === undefined) outside.add(name);
      else if (existsSync(found)) seen.add(found);
    }
  return outside;
}

test("neither the server nor the command line loads anything of LangChain to begin with", () => {
  const server = join(ROOT, "apps/server/src");
  const parts = readdirSync(server, { recursive: true, encoding: "utf8" }).filter(
    (name) => name.endsWith(".ts") && !name.endsWith(".test.ts"),
  );
  expect(parts).toContain("assemble-agent.ts");
  // The server reaches for its own parts later, the command line for none of these.
  for (const entry of [...parts.map((name) => join(server, name)), join(ROOT, "packages/cli/src/main.ts")])
    expect([...loadedWith(entry)].filter((name) => name.startsWith("@langchain/"))).toEqual([]);
  // It would have found it.
  const adapter = join(ROOT, "packages/infrastructure/src/langgraph/super-step.ts");
  expect([...loadedWith(adapter)]).toContain("@langchain/langgraph");
});

test("an owner that carries out a script asks nothing of what moves graphs, whose adapter loads it when it is asked", async () => {
  const asked: string[] = [];
  const graphs = new Proxy({} as GraphRuntime, {
    get: (_, name) => () => void asked.push(String(name)),
  });
  await using server = await openAltered(() => ({ graphs }));
  const plan_id = await server.plan("  steps: [{ write: { path: a, content: b } }]\n");
  await atRest(server.client, plan_id);
  await server.client.call("_cleveragents/plan/status", { plan_id });
  await server.client.call("_cleveragents/registry/actor/add", {
    document: "name: g\ntype: graph\ndescription: x\nnodes: { a: { type: ask, question: Well? } }\n",
  });
  expect(asked).toEqual([]);
});
