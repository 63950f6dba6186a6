import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { FakeEngine } from "@cleveragents/testing/services";
import { expect, test } from "vitest";
import { git, makeRepository, Place } from "./support.ts";

const ACTION = `
name: local/contained
description: Writes a file by a command
definition_of_done: two files are there
automation_profile: trusted
script:
  steps:
    - run: { command: "echo made > made.txt" }
    - ask: { question: "Go on?", freeText: true }
    - run: { command: "echo again > again.txt" }
`;

test("a plan's commands run in the dev container that it asks for, which ends with its session and with it", {
  timeout: 120_000,
}, async () => {
  await using place = new Place();
  const engine = new FakeEngine(join(place.dir, "engine"));
  place.env["PATH"] = `${engine.bin}:${place.env["PATH"]}`;
  const repository = makeRepository(join(place.dir, "lib"));
  mkdirSync(join(repository, ".devcontainer"));
  writeFileSync(join(repository, ".devcontainer/devcontainer.json"), '{ "image": "debian" }');
  git(repository, "add", "-A");
  git(repository, "commit", "-qm", "a container");
  writeFileSync(join(place.dir, "action.yaml"), ACTION);
  const ok = async (...args: string[]) => {
    const ran = await place.agents(args);
    expect(ran, `${args.join(" ")}\n${ran.stderr}${ran.stdout}`).toMatchObject({ code: 0 });
    return ran.stdout;
  };
  expect(await ok("project", "create", "lib", "--path", repository)).toContain(
    "devcontainer:default (.devcontainer/devcontainer.json, not started)",
  );
  await ok("action", "add", "action.yaml");
  const session = (await ok("session", "create", "-o", "name")).trim();
  const use = ["plan", "use", "contained", "--session", session, "-o", "name"];
  const id = (await ok(...use, "--environment", "devcontainer")).trim();
  expect(engine.calls()).toEqual([]);

  expect(await place.agents(["plan", "execute", id])).toMatchObject({ code: 11 });
  expect(engine.calls().map((call) => call.slice(0, 2).join(" "))).toEqual(
    expect.arrayContaining(["devcontainer up", "devcontainer exec"]),
  );
  await expect.poll(() => engine.containers()).toMatchObject([{ running: false }]);
  expect(await ok("plan", "status", id)).toMatch(/commands in devcontainer:default, isolation container/);
  await ok("plan", "approve", id, "--text", "yes");
  await ok("plan", "execute", id);
  await ok("plan", "apply", id, "--yes");
  expect(readFileSync(join(repository, "again.txt"), "utf8")).toBe("again\n");
  await expect.poll(() => engine.containers()).toEqual([]);

  await ok("session", "close", session);
});
