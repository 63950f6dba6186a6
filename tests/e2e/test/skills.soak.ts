import { cpSync, existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { makeRepository, Place } from "./support.ts";

const examples = join(import.meta.dirname, "../../../examples/skills");

test("the skill of the examples is judged, found, registered, trusted, and carried out by a plan until it is done", {
  timeout: 180_000,
}, async () => {
  await using place = new Place();
  const skills = join(place.dir, "skills");
  cpSync(examples, skills, { recursive: true });
  const repository = makeRepository(join(place.dir, "lib"));
  const env = { CLEVERAGENTS_SKILLS_PATH: skills };
  const agents = (...args: string[]) => place.agents(args, { env });
  const ok = async (...args: string[]) => {
    const ran = await agents(...args);
    expect(ran, `${args.join(" ")}\n${ran.stderr}${ran.stdout}`).toMatchObject({ code: 0 });
    return ran.stdout;
  };
  expect(await ok("skill", "validate", join(skills, "deploy-to-staging"))).toContain("3. Deploy");
  const strict = await agents("skill", "validate", join(skills, "deploy-to-staging"), "--strict");
  expect([strict.code, strict.stdout]).toEqual([1, expect.stringContaining("[no-frontmatter]")]);

  await ok("project", "create", "lib", "--path", repository);
  expect(await ok("skill", "list", "-o", "name")).toBe("local/deploy-to-staging\n");
  await ok("skill", "add", "--config", join(skills, "deploy.yaml"));
  expect(await ok("skill", "tools", "local/deploy")).toContain("deploy-to-staging/scripts/deploy.sh");

  const create = ["plan", "create", join(skills, "plan.yaml"), "--project", "lib", "--profile", "trusted"];
  const id = (await ok(...create, "-o", "name")).trim();
  const refused = await agents("plan", "execute", id);
  expect(refused.stdout + refused.stderr).toContain(
    "agents trust add skill local/deploy-to-staging --digest ",
  );
  expect(existsSync(join(repository, "deploy"))).toBe(false);
  await ok("trust", "add", "skill", "local/deploy-to-staging");
  const done = await ok("plan", "execute", id);
  expect(done).toContain("deploy-to-staging 3. Deploy: scripts/deploy.sh --env staging");
  await ok("plan", "apply", id, "--yes");
  expect(readFileSync(join(repository, "deploy/staging/health.json"), "utf8")).toContain("200");
});
