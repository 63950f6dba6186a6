import { readdirSync, readFileSync } from "node:fs";
import { type MethodName, type MethodRow, methods, SCOPES } from "@cleveragents/protocol";
import { protocolSuites } from "@cleveragents/testing";
import { describe, expect, test } from "vitest";
import { openServer } from "./in-memory-server.ts";

const directory = new URL("../../../packages/testing/src/contract/", import.meta.url);
const files = readdirSync(directory, { recursive: true, encoding: "utf8" }).filter((path) =>
  path.endsWith(".ts"),
);
const source = files.map((path) => readFileSync(new URL(path, directory), "utf8")).join("\n");
const names = Object.keys(methods) as MethodName[];

/** Methods whose tests are those of every kind of registered things, by the calls of that suite. */
const generic = [...source.matchAll(/entrySuite\("(\w+)", \[([^\]]*)\]/g)].flatMap(([, kind, verbs]) =>
  [...(verbs ?? "").matchAll(/"(\w+)"/g)].map(([, verb]) => ({
    name: `_cleveragents/registry/${kind}/${verb}`,
    verb: verb ?? "",
  })),
);

/** The text of a method's own block, without what it stands deeper; and how it names the method. */
function blockOf(name: MethodName): { readonly text: string; readonly named: string } | undefined {
  const verb = generic.find((method) => method.name === name)?.verb;
  const [named, indent] = verb === undefined ? [`"${name}"`, "  "] : [`named("${verb}")`, "      "];
  const from = source.indexOf(`describe(${named}`);
  if (from < 0) return undefined;
  const next = source.indexOf(`\n${indent}describe(`, from);
  const text = source.slice(from, next < 0 ? undefined : next);
  return { named, text: text.replaceAll(`\n${indent.slice(2)}`, "\n") };
}

describe("the method table is covered", () => {
  test("every *.contract.ts is in the list of suites, and only those are", () => {
    const suites = files
      .filter((path) => path.endsWith(".contract.ts"))
      .map((path) => `${path.replace(/^.*\//, "").replace(".contract.ts", "")}Contract`);
    expect(Object.keys(protocolSuites).sort()).toEqual(suites.sort());
  });

  test.each(names)(
    "%s has a block of its own with happy paths or refusals, and provokes every error that it declares",
    (name) => {
      const block = blockOf(name);
      expect(block, "describe block").toBeDefined();
      expect(block?.text).toContain(`refusals(${block?.named}, world, {`);
      const { errors }: MethodRow = methods[name];
      const provoked = (error: string) =>
        new RegExp(`^      ${error}:(?: \\{|$)`, "m").test(block?.text ?? "");
      expect(errors.filter((error) => !provoked(error))).toEqual([]);
    },
  );

  test("no block is for a method that is not in the table", () => {
    const own = [...source.matchAll(/refusals\("([^"]+)"/g)].map((match) => match[1]);
    const tested = [...own, ...generic.map(({ name }) => name)];
    expect(tested.sort()).toEqual([...names].sort());
  });

  test("every method declares what a caller's mistake and a missing scope are answered with", () => {
    for (const name of names) {
      const { errors, family }: MethodRow = methods[name];
      expect(errors, name).toContain("InvalidParams");
      expect(errors, name).toContain(family === "a2a" ? "PermissionDenied" : "Forbidden");
    }
  });

  test("every method is served", async () => {
    await using server = await openServer({});
    const context = {
      principal: { id: "tester", scopes: SCOPES },
      serviceParameters: { "a2a-version": "1.0" },
      binding: "in-process",
      signal: AbortSignal.timeout(10_000),
    } as const;
    for (const name of names.flatMap((method) => [
      method,
      ...((methods[method] as MethodRow).aliases ?? []),
    ])) {
      const answer = await server.dispatcher.dispatch(
        JSON.stringify({ jsonrpc: "2.0", id: 1, method: name, params: {} }),
        context,
      );
      const text = JSON.stringify(answer);
      expect(text, name).not.toContain("METHOD_NOT_FOUND");
      expect(text, name).not.toContain("NOT_AVAILABLE");
      expect(text, name).not.toContain("INTERNAL_ERROR");
    }
  });
});
