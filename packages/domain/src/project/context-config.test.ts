import { expect, test } from "vitest";
import { ContextConfigSchema, contextViewOf } from "./context-config.ts";

test("a view takes from the one before it what it does not say, and the limits stand where nobody says any", () => {
  const config = ContextConfigSchema.parse({
    include: ["README.md"],
    exclude: ["secrets"],
    views: { strategize: { include: ["docs/**"], max_files: 3 }, apply: { hot_max_tokens: 100 } },
  });
  const standard = { maxFileSize: 262_144, maxTotalSize: 1_048_576, maxFiles: 50, maxTokens: 8000 };
  expect(contextViewOf(config, "default")).toEqual({
    include: ["README.md"],
    exclude: ["secrets"],
    ...standard,
  });
  expect(contextViewOf(config, "execute")).toEqual({
    include: ["docs/**"],
    exclude: ["secrets"],
    ...standard,
    maxFiles: 3,
  });
  expect(contextViewOf(config, "apply")).toMatchObject({ include: ["docs/**"], maxTokens: 100 });
  expect(ContextConfigSchema.parse(config)).toEqual(config);
});

test.each([
  [{ include: ["/etc/passwd"] }, "inside of the project"],
  [{ exclude: ["../x"] }, "inside of the project"],
  [{ warm_max_decisions: 500 }, "warm contexts are not kept here"],
  [{ views: { execute: { strategies: ["arce"] } } }, "strategies are not kept here"],
  [{ include: ["a"], views: { default: { include: ["b"] } } }, "one of both is enough"],
  [{ views: { later: {} } }, "later"],
])("%j is refused: %s", (config, why) => {
  const messages = ContextConfigSchema.safeParse(config).error?.issues.map(({ message }) => message) ?? [];
  expect(messages.join("\n")).toContain(why);
});
