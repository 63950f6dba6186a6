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

/** Suites of files and commands: over HTTP here, over all others in contract.soak.ts; the rest show these in a tenth of the time. */
const LONG = ["planContract", "sandboxContract"];
/** Suites of programs that are started: in process and over HTTP here, and the others there too. */
const STARTING = ["mcpContract", "lspContract", "skillContract"];
const LEFT_OUT: Readonly<Record<string, readonly string[]>> = {
  "in process": LONG,
  "over stdio": [...LONG, ...STARTING],
};

describe.each(Object.entries(bindings))("%s", (binding, openHarness) => {
  const suites = Object.entries(protocolSuites).filter(
    ([name]) => LEFT_OUT[binding]?.includes(name) !== true,
  );
  describe.each(suites)("%s", (_name, suite) => {
    suite((options) => openWorld(openHarness, openServer, options));
  });
});

/** Suites that speak JSON-RPC's own text, which HTTP+JSON does not have. */
const TEXTUAL = ["envelopeContract", "dialectsContract"];

describe("over HTTP+JSON", () => {
  const leftOut = [...TEXTUAL, ...LONG, ...STARTING];
  const suites = Object.entries(protocolSuites).filter(([name]) => !leftOut.includes(name));
  describe.each(suites)("%s", (_name, suite) => {
    suite((options) => openWorld(rest, openServer, options));
  });
});
