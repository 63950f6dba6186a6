import { expect, test } from "vitest";
import { FakeCli } from "../testing/fake-cli.ts";

const METHOD = "_cleveragents/registry/actor/test";
const probed = (plans: boolean) => ({
  name: "local/coder",
  model: "ollama/small",
  plans,
  conversations: true,
  probes: [
    { probe: "chat", verdict: "ok", detail: "it said 90 characters" },
    { probe: "tool_calls", verdict: plans ? "ok" : "failed", detail: "it prints calls as text" },
  ],
});

test("a model that is of use for plans is told so, with each thing that was found", async () => {
  const cli = new FakeCli({ calls: { [METHOD]: probed(true) } });
  expect(await cli.run("actor", "test", "coder")).toBe(0);
  expect(cli.stdout).toContain("local/coder (ollama/small) is of use for plans and conversations.");
  expect(cli.stdout).toMatch(/chat +ok +it said 90 characters/);
});

test("a model that is of no use for plans ends the command with 1", async () => {
  const cli = new FakeCli({ calls: { [METHOD]: probed(false) } });
  expect(await cli.run("actor", "test", "coder")).toBe(1);
  expect(cli.stdout).toContain("of use for conversations, not for plans");
});
