import { atRest } from "@cleveragents/testing";
import { expect, test } from "vitest";
import { openAltered } from "./altered-server.ts";

const tool = (command: string) =>
  `name: local/count\ndescription: Counts lines\ncommand: [${command}]\nread_only: true\ninput_schema: { type: object, properties: { path: { type: string } }, required: [path] }\n`;
const COUNT = tool('wc, -l, "{{ args.path }}"');
const CALL = "  steps:\n    - { name: counted, call: { tool: local/count, arguments: { path: a.txt } } }\n";

test("a registered tool runs in a plan once somebody has consented, and not after its command has changed", async () => {
  await using server = await openAltered();
  const { client, repository } = server;
  await repository.write("a.txt", "1\n2\n");
  await client.call("_cleveragents/registry/tool/add", { document: COUNT });
  const planId = await server.plan(CALL);
  const refused = await atRest(client, planId);
  expect(refused).toMatchObject({ state: "errored", error: { reason: "TRUST_REQUIRED" } });
  const { consents } = await client.call("_cleveragents/trust/list", {});
  expect(consents).toMatchObject([{ kind: "tool", name: "local/count", trusted: false, command: "wc" }]);
  expect(refused.error?.message).toContain(
    `agents trust add tool local/count --digest ${consents[0]?.digest}`,
  );

  await client.call("_cleveragents/trust/add", {
    kind: "tool",
    name: "local/count",
    digest: consents[0]?.digest,
  });
  await client.call("_cleveragents/plan/execute", { plan_id: planId });
  expect(await atRest(client, planId)).toMatchObject({ state: "applied", steps: [{ status: "done" }] });

  await client.call("_cleveragents/registry/tool/update", { document: tool('cat, "{{ args.path }}"') });
  const changed = await atRest(client, await server.plan(CALL));
  expect(changed).toMatchObject({
    state: "errored",
    error: { reason: "TRUST_REQUIRED", message: expect.stringContaining("not what was trusted any more") },
  });
});

test("consent can be given by whoever registers a tool, if he may give it", async () => {
  await using server = await openAltered();
  const { client, harness, repository } = server;
  await repository.write("a.txt", "1\n2\n");
  const writer = harness.as("writer", ["registry:read", "registry:write"]);
  await expect(
    writer.client.call("_cleveragents/registry/tool/add", { document: COUNT, trust: true }),
  ).rejects.toMatchObject({ reason: "PERMISSION_DENIED" });
  expect(
    await client.call("_cleveragents/registry/tool/list", { namespace: "local", source: "custom" }),
  ).toMatchObject({ total: 0 });
  await client.call("_cleveragents/registry/tool/add", { document: COUNT, trust: true });
  expect(await atRest(client, await server.plan(CALL))).toMatchObject({ state: "applied" });
});

test("a profile's guards are asked about registered tools as about all others", async () => {
  await using server = await openAltered();
  const { client, repository } = server;
  await repository.write("a.txt", "1\n");
  await client.call("_cleveragents/registry/tool/add", { document: COUNT, trust: true });
  const document = "name: strict\ndescription: x\nextends: trusted\nguards: { tool_denylist: ['local/*'] }\n";
  await client.call("_cleveragents/profile/add", { document });
  expect(await atRest(client, await server.plan(CALL, "strict"))).toMatchObject({
    state: "errored",
    error: { reason: "GUARD_DENIED" },
  });
});

test("a page of the internet is asked about where the profile does not grant the network", async () => {
  await using server = await openAltered();
  const planId = await server.plan(
    "  steps:\n    - call: { tool: builtin/fetch, arguments: { url: 'http://10.0.0.1/' } }\n",
    "supervised",
  );
  await server.client.call("_cleveragents/plan/execute", { plan_id: planId });
  let status = await atRest(server.client, planId);
  if (status.waiting_for?.kind === "start") {
    await server.client.call("_cleveragents/plan/execute", { plan_id: planId });
    status = await atRest(server.client, planId);
  }
  expect(status).toMatchObject({
    waiting_for: { kind: "guard", prompt: expect.stringContaining("asks for the network") },
  });
});

test("a tool that another process has registered meanwhile is found by the call", async () => {
  await using server = await openAltered();
  const { client, machine, repository } = server;
  await repository.write("a.txt", "1\n");
  await client.call("_cleveragents/registry/tool/add", { document: COUNT, trust: true });
  const { registry } = machine.adapters;
  const entry = await registry.find("tool", "local/count");
  await client.call("_cleveragents/registry/tool/remove", { name: "local/count" });
  if (entry !== undefined) await registry.add(entry);
  expect(await atRest(client, await server.plan(CALL))).toMatchObject({ state: "applied" });
});
