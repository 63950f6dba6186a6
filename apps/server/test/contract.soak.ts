import { inProcess, openWorld, protocolSuites, rest } from "@cleveragents/testing";
import { describe } from "vitest";
import { openServer } from "./in-memory-server.ts";

/** The long suites over the bindings that contract.test.ts leaves out. */
const suites = Object.entries(protocolSuites).filter(([name]) => /^(plan|sandbox)Contract$/.test(name));

describe.each(Object.entries({ "in process": inProcess, "over HTTP+JSON": rest }))("%s", (_, openHarness) => {
  describe.each(suites)("%s", (_name, suite) => {
    suite((options) => openWorld(openHarness, openServer, options));
  });
});
