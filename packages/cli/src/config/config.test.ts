import { chmod, mkdtemp, readFile, rm, stat, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { parse } from "smol-toml";
import { describe, expect, test } from "vitest";
import { FakeCli, type FakeCliOptions } from "../testing/fake-cli.ts";
import { editToml } from "./edit-toml.ts";
import { CONFIG_KEYS } from "./keys.ts";
import { writePrivate } from "./write-private.ts";

const USER = "/home/me/.cleveragents/config.toml";
const PROJECT = "/work/app/.cleveragents.toml";
const ANSWERS = { calls: { "_cleveragents/plan/list": { plans: [], total: 0, next_page_token: "" } } };

async function ran(options: FakeCliOptions, ...argv: string[]) {
  const cli = new FakeCli({ ...ANSWERS, ...options });
  return { cli, code: await cli.run(...argv) };
}

describe("which value counts", () => {
  const files = {
    [USER]: '[server]\nurl = "http://user.example"\ntoken = "t"\n[core]\nformat = "yaml"\ntimeout = 5\n',
    [PROJECT]: '[core]\nformat = "json"\n',
  };

  test("the project's before the user's, and every one has its origin", async () => {
    const { cli } = await ran({ files }, "config", "show", "--origin", "-o", "json");
    const { settings } = JSON.parse(cli.stdout);
    const of = (name: string) => settings.find((one: { name: string }) => one.name === name);
    expect(of("core.format")).toMatchObject({ value: "json", origin: "project", source: PROJECT });
    expect(of("server.url")).toMatchObject({ value: "http://user.example", origin: "user", source: USER });
    expect(of("server.token")).toMatchObject({ value: "********", origin: "user" });
    expect(of("core.color")).toMatchObject({ value: "true", origin: "default", source: null });
    expect(of("core.data-dir")).toMatchObject({ value: null, origin: "unset" });
  });

  test("a variable before files, and one that is empty is none", async () => {
    const { cli } = await ran(
      { files, env: { CLEVERAGENTS_FORMAT: "text" } },
      "config",
      "get",
      "core.format",
    );
    expect(cli.stdout).toBe("text\n");
    const { cli: empty } = await ran(
      { files, env: { CLEVERAGENTS_FORMAT: "" } },
      "config",
      "get",
      "core.format",
    );
    expect(empty.stdout).toBe("json\n");
  });

  test("commands go by it: where they connect, with which token, for how long, and what they print", async () => {
    const { cli } = await ran({ files }, "plan", "list");
    expect(cli.connections).toMatchObject([{ server: "http://user.example", token: "t", timeoutMs: 5000 }]);
    expect(JSON.parse(cli.stdout)).toEqual({ plans: [], total: 0, next_page_token: "" });
  });

  test("a flag before everything", async () => {
    const argv = ["plan", "list", "-o", "text", "--server", "http://flag.example", "--timeout", "1"];
    const { cli } = await ran({ files, env: { CLEVERAGENTS_SERVER_URL: "http://env.example" } }, ...argv);
    expect(cli.connections).toMatchObject([{ server: "http://flag.example", timeoutMs: 1000 }]);
    expect(cli.stdout).not.toContain("{");
  });

  test("a usual transport gives way to a server, wherever that is named", async () => {
    const socket = { [USER]: '[core]\ntransport = "stdio"\n' };
    expect((await ran({ files: socket }, "plan", "list")).cli.connections).toMatchObject([
      { transport: "stdio" },
    ]);
    const { cli } = await ran({ files: socket }, "plan", "list", "--server", "http://flag.example");
    expect(cli.connections).toMatchObject([{ transport: undefined, server: "http://flag.example" }]);
  });

  test("a configured format is also that of errors", async () => {
    const { cli, code } = await ran({ files, calls: {} }, "plan", "list");
    expect(code).not.toBe(0);
    expect(JSON.parse(cli.stdout)).toHaveProperty("error.code");
  });
});

describe("a file that cannot be used is a usage error that says where", () => {
  test.each([
    ["an unknown key", '[sever]\nurl = "x"\n', "did you mean server.url?"],
    ["a value of another type", '[core]\ntimeout = "soon"\n', "core.timeout is a positive number"],
    ["a value that is no choice", '[core]\nformat = "xml"\n', "core.format is one of text, json, yaml, name"],
    ["a key of no section", 'url = "x"\n', 'unknown key "url"'],
    ["no TOML", "[core\n", USER],
  ])("%s", async (_, text, said) => {
    const { cli, code } = await ran({ files: { [USER]: text } }, "plan", "list");
    expect(code).toBe(2);
    expect(cli.stderr).toContain(USER);
    expect(cli.stderr).toContain(said);
    expect(cli.connections).toEqual([]);
  });

  test("a repository does not say whom its user speaks to", async () => {
    for (const name of ["server.url", "server.token", "core.data-dir", "core.transport"]) {
      const [section, key] = name.split(".");
      const files = { [PROJECT]: `[${section}]\n${key} = "stdio"\n` };
      const { cli, code } = await ran({ files }, "plan", "list");
      expect(code).toBe(2);
      expect(cli.stderr).toContain(`${name} may only stand in your own configuration`);
      expect(cli.connections).toEqual([]);
    }
  });

  test("a token that others may read is not used", async () => {
    const files = { [USER]: '[server]\ntoken = "t"\n' };
    const { cli, code } = await ran({ files, fileMode: 0o644 }, "plan", "list");
    expect(code).toBe(2);
    expect(cli.stderr).toContain(`chmod 600 ${USER}`);
  });
});

describe("writing", () => {
  test("set writes for the user alone, and get gives it back", async () => {
    const { cli, code } = await ran({}, "config", "set", "server.url", "http://a.example");
    expect(code).toBe(0);
    expect(cli.written.get(USER)).toBe('[server]\nurl = "http://a.example"\n');
  });

  test("comments and everything else stay as they were", async () => {
    const files = {
      [USER]: '# mine\n[core]\n# short\ntimeout = 5 # s\nformat = "json"\n\n[server]\nurl = "x"\n',
    };
    const { cli } = await ran({ files }, "config", "set", "core.timeout", "7");
    expect(cli.written.get(USER)).toBe(files[USER].replace("timeout = 5 # s", "timeout = 7"));
    const { cli: second } = await ran({ files }, "config", "unset", "core.format");
    expect(second.written.get(USER)).toBe(files[USER].replace('format = "json"\n', ""));
  });

  test("a secret comes from stdin, and is warned about where it comes from the shell's history", async () => {
    const { cli } = await ran({ stdin: "s3cret\n" }, "config", "set", "server.token", "-");
    expect(cli.written.get(USER)).toContain('token = "s3cret"');
    expect(cli.stdout + cli.stderr).not.toContain("s3cret");
    const { cli: typed } = await ran({}, "config", "set", "server.token", "s3cret");
    expect(typed.stderr).toContain("agents config set server.token -");
  });

  test("what a key does not take is refused, and nothing is written", async () => {
    for (const argv of [
      ["core.timeout", "0"],
      ["core.format", "xml"],
      ["core.color", "maybe"],
      ["sever.url", "x"],
    ]) {
      const { cli, code } = await ran({}, "config", "set", ...argv);
      expect(code).toBe(2);
      expect(cli.written.size).toBe(0);
    }
    const { cli, code } = await ran({}, "config", "set", "server.url", "x", "--in-project");
    expect(code).toBe(2);
    expect(cli.written.size).toBe(0);
  });

  test("what is not set says how it is", async () => {
    const { cli, code } = await ran({}, "config", "get", "server.url");
    expect(code).toBe(1);
    expect(cli.stderr).toContain("agents config set server.url VALUE");
  });

  test("a text that a person has written in another way is left to them", async () => {
    await expect(editToml('server = { url = "x" }\n', "server.url", "y")).rejects.toThrow("left to you");
    await expect(editToml('server.url = "x"\n', "server.url", "y")).rejects.toThrow("left to you");
    await expect(editToml('[server]\nurl = """\nx"""\n', "server.url", "y")).rejects.toThrow("left to you");
  });

  test("any settings that are made and taken out one after the other are what the file says", () =>
    fc.assert(
      fc.asyncProperty(
        fc.array(
          fc.tuple(
            fc.constantFrom(...CONFIG_KEYS.map(({ name }) => name)),
            fc.option(fc.oneof(fc.string({ unit: "binary" }), fc.nat(), fc.boolean()), { nil: undefined }),
          ),
        ),
        async (changes) => {
          let text = "# kept\n";
          const model = new Map<string, unknown>();
          for (const [name, value] of changes) {
            text = await editToml(text, name, value);
            if (value === undefined) model.delete(name);
            else model.set(name, value);
          }
          const found = Object.entries(parse(text)).flatMap(([section, entries]) =>
            Object.entries(entries as object).map(([key, value]) => [`${section}.${key}`, value] as const),
          );
          expect(new Map(found)).toEqual(model);
          expect(text).toContain("# kept");
        },
      ),
    ));
});

test("every key has a variable of its own, which is made of it", () => {
  const made = CONFIG_KEYS.map(
    ({ name }) =>
      `CLEVERAGENTS_${name
        .replace(/^core\./, "")
        .replace(/[.-]/g, "_")
        .toUpperCase()}`,
  );
  expect(CONFIG_KEYS.map(({ env }) => env)).toEqual(made);
  expect(new Set(made).size).toBe(CONFIG_KEYS.length);
});

test("a private file is put in place whole, behind a link too, and nobody else reads it", async () => {
  const dir = await mkdtemp(join(tmpdir(), "ca-config-"));
  try {
    const file = join(dir, "deep", "config.toml");
    await writePrivate(file, "one");
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    await chmod(file, 0o644);
    await symlink(file, join(dir, "link"));
    await writePrivate(join(dir, "link"), "two");
    expect(await readFile(file, "utf8")).toBe("two");
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    await writeFile(join(dir, "plain"), "");
    await expect(writePrivate(join(dir, "plain", "x"), "y")).rejects.toThrow();
  } finally {
    await rm(dir, { recursive: true });
  }
});
