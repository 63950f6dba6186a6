import { http, inProcess, type OpenHarness, openWorld, protocolSuites, stdio } from "@cleveragents/testing";
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
