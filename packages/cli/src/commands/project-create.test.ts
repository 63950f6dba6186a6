import { expect, test } from "vitest";
import { FakeCli } from "../testing/fake-cli.ts";

const ADD = "_cleveragents/registry/project/add";
const UPDATE = "_cleveragents/registry/project/update";
const project = { name: "local/app", path: "/work/app", kind: "plain", warnings: [], resources: [] };

function cli() {
  return new FakeCli({ calls: { [ADD]: project, [UPDATE]: project }, files: { "app.yaml": "name: app" } });
}

test("a project is also said by its file alone, which says all of it", async () => {
  const fake = cli();
  expect(await fake.run("project", "add", "--config", "app.yaml")).toBe(0);
  expect(fake.paramsOf(ADD)).toEqual({ document: "name: app", file: "app.yaml" });
  expect(await fake.run("project", "update", "--config", "app.yaml", "--revision", "r")).toBe(0);
  expect(fake.paramsOf(UPDATE)).toEqual({ document: "name: app", file: "app.yaml", revision: "r" });
});

test.each([
  [["create"], "NAME is missing, or --config FILE"],
  [["update", "--description", "x"], "NAME is missing, or --config FILE"],
  [["create", "app", "--config", "app.yaml"], "NAME and --config FILE"],
  [["update", "--config", "app.yaml", "--path", "."], "--path and --config FILE"],
])("agents project %j is refused, and nothing is sent", async (words, why) => {
  const fake = cli();
  expect(await fake.run("project", ...words)).toBe(2);
  expect(fake.stderr).toContain(why);
});
