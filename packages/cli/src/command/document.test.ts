import { expect, test } from "vitest";
import { FakeCli } from "../testing/fake-cli.ts";

test("a file that is not there is exit code 2", async () => {
  const cli = new FakeCli();
  expect(await cli.run("action", "add", "nope.yaml")).toBe(2);
  expect(cli.stderr).toBe("error: cannot read nope.yaml: there is no such file\n");
});

test("a document may be named as FILE, by --config, or on stdin, and has to be", async () => {
  const calls = { "_cleveragents/registry/tool/add": { name: "local/x" } };
  const files = { "x.yaml": "name: x" };
  for (const argv of [
    ["tool", "add", "x.yaml", "--trust"],
    ["tool", "add", "--config", "x.yaml", "--trust"],
  ]) {
    const cli = new FakeCli({ calls, files });
    expect(await cli.run(...argv)).toBe(0);
    expect(cli.paramsOf("_cleveragents/registry/tool/add")).toEqual({
      document: "name: x",
      file: "x.yaml",
      update: false,
      trust: true,
    });
  }
  const none = new FakeCli({ calls });
  expect(await none.run("tool", "add")).toBe(2);
  expect(none.stderr).toBe("error: FILE is missing\n");
});
