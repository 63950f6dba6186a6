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

describe.each(Object.entries(bindings))("%s", (_binding, openHarness) => {
  describe.each(Object.entries(protocolSuites))("%s", (_name, suite) => {
    suite((options) => openWorld(openHarness, openServer, options));
  });
});

/** Suites that speak JSON-RPC's own text, which HTTP+JSON does not have. */
const TEXTUAL = ["envelopeContract", "dialectsContract"];
/** Suites of files and commands: what HTTP+JSON does with a call and its answer, the others show in a tenth of the time. */
const LONG = ["planContract", "sandboxContract"];

describe("over HTTP+JSON", () => {
  const suites = Object.entries(protocolSuites).filter(([name]) => ![...TEXTUAL, ...LONG].includes(name));
  describe.each(suites)("%s", (_name, suite) => {
    suite((options) => openWorld(rest, openServer, options));
  });
});
