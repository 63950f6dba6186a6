import { expect, test } from "vitest";
import { lastWords } from "./last-words.ts";

test("the last words of a server are its last lines, in one", () => {
  expect(lastWords("one\ntwo\r\n\n  three  \nfour\n")).toBe("two | three | four");
});

test("of a program that Node ends, they are what was thrown, and not the end of its stack", () => {
  const stderr = [
    "node:internal/modules/cjs/loader:1228",
    "  throw err;",
    "  ^",
    "",
    "Error: Cannot find module '/home/me/server.mjs'",
    "    at Module._resolveFilename (node:internal/modules/cjs/loader:1225:15)",
    "    at node:internal/main/run_main_module:36:49 {",
    "  code: 'MODULE_NOT_FOUND',",
    "  requireStack: []",
    "}",
    "",
    "Node.js v20.20.2",
    "",
  ].join("\n");
  expect(lastWords(stderr)).toBe("Error: Cannot find module '/home/me/server.mjs'");
});
