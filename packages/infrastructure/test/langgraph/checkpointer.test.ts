import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, test } from "vitest";
import { StoredCheckpointer } from "../../src/langgraph/stored-checkpointer.ts";
import { InMemoryGraphCheckpoints } from "../../src/memory/index.ts";

// What LangGraph's own project owes of every checkpointer. It takes the test runner from the global object, and brings
// another one of its own that it does not use.
// Of its savers only that for PostgreSQL stores each value of a channel once; the suite leaves the others out by name.
const DELTAS = "should only store channel_values that have changed (based on newVersions)";
const except = new Proxy(it, {
  apply: (all, _, given: Parameters<typeof it>) => (given[0] === DELTAS ? all.skip : all)(...given),
});
const runner = { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it: except, test };
Object.assign(globalThis, runner);
const { validate } = await import("@langchain/langgraph-checkpoint-validation");
validate({
  checkpointerName: "StoredCheckpointer",
  createCheckpointer: () => new StoredCheckpointer(new InMemoryGraphCheckpoints()),
});
// It defines its tests when the runner has read this file.
afterAll(() => {
  for (const name of Object.keys(runner)) Reflect.deleteProperty(globalThis, name);
});
