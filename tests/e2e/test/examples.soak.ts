import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { makeRepository, Place } from "./support.ts";

const examples = join(import.meta.dirname, "../../../examples");

/** A project `lib`, and the command line: `ok` fails the test unless its command ends well, and answers what it printed. */
async function makeLibrary(place: Place) {
  const repository = makeRepository(join(place.dir, "lib"));
  const agents = (...args: string[]) => place.agents(args);
  const ok = async (...args: string[]) => {
    const ran = await agents(...args);
    expect(ran, `${args.join(" ")}\n${ran.stderr}${ran.stdout}`).toMatchObject({ code: 0 });
    return ran.stdout;
  };
  await ok("project", "create", "lib", "--path", repository);
  return { repository, agents, ok };
}

test("a budget that is reached ends the command with its own exit code, and is raised by an answer", {
  timeout: 120_000,
}, async () => {
  await using place = new Place();
  const { repository, agents, ok } = await makeLibrary(place);
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

test("a strategy is explained and corrected, its changes are approved from a second terminal, and steps are a plan without an action", {
  timeout: 120_000,
}, async () => {
  await using place = new Place();
  const { repository, ok } = await makeLibrary(place);
  await ok("action", "add", join(examples, "alternatives.yaml"));
  const id = (await ok("plan", "use", "alternatives", "--profile", "trusted", "-o", "name")).trim();
  await ok("plan", "execute", id);
  const explained = await ok("plan", "explain", id, "wording");
  expect(explained).toContain("- formal: Good day\n");
  expect(explained).toContain("* friendly: Hi\n");
  expect(explained).toContain("+Hi, Ada\n");

  await ok("plan", "correct", id, "wording", "--guidance", "be formal", "--yes");
  await ok("plan", "watch", id);
  expect(await ok("plan", "diff", id)).toContain("+Good day, Ada\n");
  expect(await ok("plan", "tree", id, "--show-superseded")).toContain("friendly (80 %) superseded by ");

  const watching = place.agents(["plan", "watch", id, "--until-done"]);
  await ok("plan", "apply", id, "--yes");
  const watched = await watching;
  expect(watched, watched.stderr).toMatchObject({ code: 0 });
  expect(watched.stdout).toContain("applied");
  expect(readFileSync(join(repository, "greeting.txt"), "utf8")).toBe("Good day, Ada\n");

  const create = [
    "plan",
    "create",
    join(examples, "steps.yaml"),
    "--project",
    "lib",
    "--profile",
    "trusted",
    "-o",
    "name",
  ];
  expect(await ok(...create)).toBe(await ok(...create));
  await ok("plan", "execute", "count-lines-1");
  await ok("plan", "apply", "count-lines-1", "--yes");
  expect(readFileSync(join(repository, "size.txt"), "utf8")).toBe("14 bytes\n");
});

test("a plan that a check holds back is not applied, says how to go on, and holds after it was taken back with a reason", {
  timeout: 120_000,
}, async () => {
  await using place = new Place();
  const { repository, agents, ok } = await makeLibrary(place);
  await ok("validation", "add", join(examples, "tests-pass.yaml"));
  await ok("validation", "attach", "team/tests-pass", "--project", "lib", "--mode", "informational");
  await ok("action", "add", join(examples, "constrained.yaml"));
  const id = (await ok("plan", "use", "constrained", "--profile", "trusted", "-o", "name")).trim();

  const held = await agents("plan", "execute", id);
  expect(held.code).toBe(11);
  expect(held.stdout).toContain("✗ invariant title");
  expect(held.stdout).toContain("✓ definition of done 2");
  expect(held.stdout).toContain("(informational)");
  const refused = await agents("plan", "apply", id, "--yes");
  expect(refused.code).toBe(13);
  expect(refused.stderr).toContain(`agents plan revert ${id}`);

  await ok("plan", "revert", id, "--reason", "it needs a title");
  expect(await ok("plan", "execute", id)).toContain("✓ invariant title");
  await ok("plan", "apply", id, "--yes");
  expect(readFileSync(join(repository, "notes", "today.md"), "utf8")).toBe("# Today\n\nAll is well.\n");
});

test("parts are done by subplans, their conflict is resolved, and work is added before and after the plan is applied", {
  timeout: 120_000,
}, async () => {
  await using place = new Place();
  const { repository, agents, ok } = await makeLibrary(place);
  await ok("action", "add", join(examples, "greet-in.yaml"));
  await ok("action", "add", join(examples, "subplans.yaml"));
  const id = (await ok("plan", "use", "subplans", "--profile", "trusted", "-o", "name")).trim();
  const stopped = await agents("plan", "execute", id);
  expect(stopped.code).toBe(11);
  expect(stopped.stdout).toContain("german");
  expect(stopped.stdout).toContain("greetings/languages.txt");
  expect(stopped.stdout).toContain(`agents plan approve ${id} --option theirs`);
  expect((await agents("plan", "apply", id, "--yes")).code).not.toBe(0);
  await ok("plan", "approve", id, "--option", "retry");
  await ok("plan", "watch", id);
  const tree = await ok("plan", "tree", id);
  expect(tree).toMatch(/✓ english \w+ merged\n✓ german \w+ merged/);

  const more = [
    "--mode",
    "append",
    "--with-action",
    "greet-in",
    "--arg",
    "language=french",
    "--arg",
    "word=Salut",
  ];
  expect(await ok("plan", "correct", id, "--guidance", "in French, too", ...more)).toMatch(
    /Added: +in French, too/,
  );
  await ok("plan", "watch", id);
  await ok("plan", "apply", id, "--yes");
  expect(readdirSync(join(repository, "greetings")).sort()).toEqual([
    "english.txt",
    "french.txt",
    "german.txt",
    "languages.txt",
  ]);
  expect(readFileSync(join(repository, "greetings", "languages.txt"), "utf8")).toBe(
    "languages:\nenglish\ngerman\nfrench\n",
  );
  await ok(
    "plan",
    "correct",
    id,
    "--guidance",
    "and in Latin",
    ...more.slice(0, 4),
    "--arg",
    "language=latin",
    "--arg",
    "word=Salve",
  );
  expect((await ok("plan", "list", "-o", "name")).split("\n").length).toBeGreaterThan(4);
});
