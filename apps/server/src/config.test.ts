import { describe, expect, test } from "vitest";
import { ConfigError, readConfig, USAGE } from "./config.ts";

const databaseOf = (env: Record<string, string>) => readConfig([], env, "/work", "/home/me").database;
const URL = "postgresql://user:s3cret@db:5432/agents";

describe("the database", () => {
  test("is none unless DATABASE_URL says so", () => {
    expect(databaseOf({})).toBe(undefined);
    expect(databaseOf({ DATABASE_URL: "", DATABASE_POOL_SIZE: "nonsense" })).toBe(undefined);
  });

  test("has the defaults of the deployment guide", () => {
    expect(databaseOf({ DATABASE_URL: URL })).toEqual({
      url: URL,
      poolSize: 10,
      timeoutMs: 30_000,
      namespace: undefined,
    });
    const env = { DATABASE_URL: URL, DATABASE_POOL_SIZE: "20", DATABASE_TIMEOUT: "1.5" };
    expect(databaseOf({ ...env, CLEVERAGENTS_ENGINE_NAMESPACE: "host-1" })).toMatchObject({
      poolSize: 20,
      timeoutMs: 1500,
      namespace: "host-1",
    });
  });

  test.each([
    ["DATABASE_URL", "mysql://user:s3cret@db/agents"],
    ["DATABASE_URL", "user:s3cret@db"],
    ["DATABASE_POOL_SIZE", "5"],
    ["DATABASE_POOL_SIZE", "many"],
    ["DATABASE_TIMEOUT", "0"],
    ["DATABASE_TIMEOUT", "soon"],
    ["CLEVERAGENTS_ENGINE_NAMESPACE", "a host"],
  ])("%s=%s is refused by name, and without the password", (name, value) => {
    let message = "";
    try {
      databaseOf({ DATABASE_URL: URL, [name]: value });
    } catch (error) {
      expect(error).toBeInstanceOf(ConfigError);
      message = String(error);
    }
    expect(message).toContain(name);
    expect(message).not.toContain("s3cret");
  });

  test("has its settings in the usage", () => {
    for (const name of [
      "DATABASE_URL",
      "DATABASE_POOL_SIZE",
      "DATABASE_TIMEOUT",
      "CLEVERAGENTS_ENGINE_NAMESPACE",
    ])
      expect(USAGE).toContain(name);
  });
});

test("a variable that is set to nothing is not set", () => {
  const names = ["A2A_HOST", "A2A_PORT", "LOG_LEVEL", "CLEVERAGENTS_IDLE_SECONDS", "API_KEY"];
  const empty = Object.fromEntries(names.map((name) => [name, ""]));
  expect(readConfig([], empty, "/work", "/home/me")).toEqual(readConfig([], {}, "/work", "/home/me"));
});

test.each(["two words", "from-a-file\n", "sch\u00fcssel"])(
  "an API_KEY that no header can carry is refused",
  (key) => {
    const read = () => readConfig([], { API_KEY: key }, "/work", "/home/me");
    expect(read).toThrow(ConfigError);
    expect(read).not.toThrow(key.slice(0, 5));
  },
);

test("a folder for projects that is relative is refused by its setting's name", () => {
  const read = (roots: string) => readConfig([], { CLEVERAGENTS_PROJECT_ROOTS: roots }, "/work", "/home/me");
  expect(() => read("/srv/projects:code")).toThrow(/CLEVERAGENTS_PROJECT_ROOTS has "code"/);
  expect(() => read("/srv/projects:/home/me/code:")).not.toThrow();
});
