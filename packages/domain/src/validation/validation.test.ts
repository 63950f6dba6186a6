import fc from "fast-check";
import { expect, test } from "vitest";
import { type CheckScope, inCheckOrder } from "./check.ts";
import { checksOfDone } from "./definition-of-done.ts";
import { checkOfInvariant, type Invariant, reconcile } from "./invariant.ts";
import { pathsAgainst } from "./path-rule.ts";

const SCOPES: readonly CheckScope[] = ["plan", "action", "project", "global"];

test("of invariants about the same the narrowest holds, a non-overridable one before all", () => {
  const of = (scope: CheckScope, more: Partial<Invariant> = {}): Invariant => ({
    id: `${scope}${JSON.stringify(more)}`,
    text: `as the ${scope} says`,
    name: "same",
    scope,
    source: scope,
    ...more,
  });
  const { effective, overridden } = reconcile([of("global"), of("project"), of("plan"), of("action")]);
  expect(effective.map(({ scope }) => scope)).toEqual(["plan"]);
  expect(overridden.map(({ invariant }) => invariant.scope)).toEqual(["action", "project", "global"]);
  const held = reconcile([of("plan"), of("global", { nonOverridable: true })]);
  expect(held.effective.map(({ scope }) => scope)).toEqual(["global"]);
});

test("every invariant holds or is overridden by one that holds, whatever the order", () => {
  const invariant = fc.record({
    scope: fc.constantFrom(...SCOPES),
    text: fc.constantFrom("Keep it small.", "keep  it small", "Touch nothing"),
    name: fc.constantFrom(undefined, "a", "b"),
  });
  fc.assert(
    fc.property(fc.array(invariant, { maxLength: 8 }), (drafts) => {
      const all = drafts.map(
        ({ scope, text, name }, n): Invariant => ({
          id: String(n),
          text,
          scope,
          source: scope,
          ...(name === undefined ? {} : { name }),
        }),
      );
      const { effective, overridden } = reconcile(all);
      const ids = [...effective, ...overridden.map((lost) => lost.invariant)].map(({ id }) => id);
      expect(ids.sort()).toEqual(all.map(({ id }) => id).sort());
      for (const { invariant: lost, by } of overridden) {
        expect(effective).toContain(by);
        expect(SCOPES.indexOf(by.scope)).toBeLessThanOrEqual(SCOPES.indexOf(lost.scope));
      }
    }),
  );
});

test("a path rule knows folders, names and globs, and what is denied stays so", () => {
  const paths = ["README.md", "docs/a.md", "src/a.ts", "src/deep/b.ts", "vendored/x"];
  expect(pathsAgainst({ deny: ["src"] }, paths)).toEqual(["src/a.ts", "src/deep/b.ts"]);
  expect(pathsAgainst({ deny: ["vendor"] }, paths)).toEqual([]);
  expect(pathsAgainst({ deny: ["*.md"] }, paths)).toEqual(["README.md", "docs/a.md"]);
  expect(pathsAgainst({ deny: ["src/*.ts"] }, paths)).toEqual(["src/a.ts"]);
  expect(pathsAgainst({ deny: ["**/*.ts"] }, paths)).toEqual(["src/a.ts", "src/deep/b.ts"]);
  expect(pathsAgainst({ allow: ["docs", "src"], deny: ["src/deep"] }, paths)).toEqual([
    "README.md",
    "src/deep/b.ts",
    "vendored/x",
  ]);
  expect(pathsAgainst({ deny: ["a+b(c)"] }, ["a+b(c)", "aab(c)"])).toEqual(["a+b(c)"]);
});

test("checks are ordered by what they are attached to, whether they are required, and name", () => {
  const check = (scope: CheckScope, mode: "required" | "informational", name: string) => ({
    ...checkOfInvariant({ id: name, text: name, scope, source: scope }),
    mode,
    name,
  });
  const given = [
    check("plan", "required", "a"),
    check("project", "informational", "a"),
    check("action", "required", "b"),
    check("project", "required", "z"),
    check("action", "required", "a"),
  ];
  expect(inCheckOrder(given).map(({ scope, name }) => `${scope} ${name}`)).toEqual([
    "project z",
    "project a",
    "action a",
    "action b",
    "plan a",
  ]);
});

test("points of a definition of done are checks of their own, and a text is one that nobody can run", () => {
  expect(checksOfDone("it works", "local/x")).toMatchObject([{ id: "done:1", text: "it works" }]);
  const [text, checked] = checksOfDone(
    ["it reads well", { text: "small", check: "size(changes) < 3" }],
    "local/x",
  );
  expect(text?.probe).toBeUndefined();
  expect(checked).toMatchObject({ id: "done:2", probe: { kind: "check" }, mode: "required" });
});
