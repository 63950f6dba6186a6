import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { makeRepository, Place } from "./support.ts";

const examples = join(import.meta.dirname, "../../../examples");

test("a budget that is reached ends the command with its own exit code, and is raised by an answer", {
  timeout: 120_000,
}, async () => {
  await using place = new Place();
  const repository = makeRepository(join(place.dir, "lib"));
  const agents = (...args: string[]) => place.agents(args);
  const ok = async (...args: string[]) => {
    const ran = await agents(...args);
    expect(ran, `${args.join(" ")}\n${ran.stderr}${ran.stdout}`).toMatchObject({ code: 0 });
    return ran.stdout;
  };
  await ok("project", "create", "lib", "--path", repository);
  await ok("profile", "add", join(examples, "careful-profile.yaml"));
  await ok("action", "add", join(examples, "budget-reached.yaml"));
  const id = (await ok("plan", "use", "budget-reached", "--profile", "trusted", "-o", "name")).trim();

  const stopped = await agents("plan", "execute", id);
  expect(stopped.code).toBe(14);
  expect(stopped.stdout).toContain("The budget of 2 tool calls is used up (2 used)");
  expect(stopped.stdout).toContain(`agents plan approve ${id} --option raise`);

  const refused = await agents("plan", "approve", id, "--option", "raise", "--text", "1");
  expect(refused.code).toBe(2);
  expect(refused.stderr).toContain('"1" is no limit above the 2 that are used');
  await ok("plan", "approve", id, "--option", "raise", "--text", "4");
  const done = await ok("plan", "execute", id);
  expect(done).toContain("4 of 4 tool calls used");
  await ok("plan", "apply", id, "--yes");
  expect(readdirSync(join(repository, "notes")).sort()).toEqual(["1.txt", "2.txt", "3.txt", "4.txt"]);
});

test("every example is in their list", () => {
  const list = readFileSync(join(examples, "README.md"), "utf8");
  for (const file of readdirSync(examples).filter((name) => name.endsWith(".yaml")))
    expect(list).toContain(`\`${file}\``);
});
