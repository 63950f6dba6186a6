import { inProcess, openWorld, protocolSuites, rest, stdio } from "@cleveragents/testing";
import { describe } from "vitest";
import { openServer } from "./in-memory-server.ts";

/** The long suites over the bindings that contract.test.ts leaves out. */
const LONG = /^(plan|sandbox|mcp|lsp|skill)Contract$/;
const suites = Object.entries(protocolSuites).filter(([name]) => LONG.test(name));
const bindings = { "in process": inProcess, "over stdio": stdio, "over HTTP+JSON": rest };

describe.each(Object.entries(bindings))("%s", (_, openHarness) => {
  describe.each(suites)("%s", (_name, suite) => {
    suite((options) => openWorld(openHarness, openServer, options));
  });
});
