import {
  http,
  inProcess,
  type OpenHarness,
  openWorld,
  protocolSuites,
  rest,
  stdio,
} from "@cleveragents/testing";
import { describe } from "vitest";
import { openServer } from "./in-memory-server.ts";

const bindings: Readonly<Record<string, OpenHarness>> = {
  "in process": inProcess,
  "over stdio": stdio,
  "over HTTP": http,
};

/** Suites of files and commands. Over the other two bindings they are in contract.soak.ts: the others show these in a tenth of the time. */
const LONG = ["planContract", "sandboxContract"];

describe.each(Object.entries(bindings))("%s", (binding, openHarness) => {
  const suites = Object.entries(protocolSuites).filter(
    ([name]) => !(binding === "in process" && LONG.includes(name)),
  );
  describe.each(suites)("%s", (_name, suite) => {
    suite((options) => openWorld(openHarness, openServer, options));
  });
});

/** Suites that speak JSON-RPC's own text, which HTTP+JSON does not have. */
const TEXTUAL = ["envelopeContract", "dialectsContract"];

describe("over HTTP+JSON", () => {
  const suites = Object.entries(protocolSuites).filter(([name]) => ![...TEXTUAL, ...LONG].includes(name));
  describe.each(suites)("%s", (_name, suite) => {
    suite((options) => openWorld(rest, openServer, options));
  });
});
