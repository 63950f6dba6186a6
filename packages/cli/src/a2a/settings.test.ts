import { describe, expect, test } from "vitest";
import { ORIGIN, ScriptedAgent, task } from "../testing/scripted-agent.ts";

const GLOBAL = "/home/me/.config/a2a-cli/.env";
const answers = { SendMessage: () => ({ task: task("COMPLETED") }) };
const card = { securitySchemes: { token: { httpAuthSecurityScheme: { scheme: "Bearer" } } } };

interface Shown {
  readonly settings: readonly {
    readonly name: string;
    readonly value: string | null;
    readonly origin: string;
  }[];
}
async function shown(
  argv: readonly string[],
  files: Record<string, string>,
  env: Record<string, string> = {},
) {
  const run = await new ScriptedAgent({}).run(["config", "show", "-o", "json", ...argv], { files, env });
  const { settings } = run.json() as Shown;
  return { run, of: (name: string) => settings.find((one) => one.name === name) };
}

describe("a setting is from", () => {
  test("the flag, else the variable, else the nearest file, else the global one, else the default", async () => {
    const files = {
      "/work/.env": 'A2ACLI_TIMEOUT="3s"\nOTHER=1\n',
      [GLOBAL]: "export A2ACLI_TIMEOUT=4s\nA2ACLI_AGENT_CARD=https://global.example\n",
    };
    const env = { A2ACLI_TIMEOUT: "2s" };
    const of = async (argv: string[], some: Record<string, string>, variables = {}) =>
      (await shown(argv, some, variables)).of("timeout");
    expect(await of(["--timeout", "1s"], files, env)).toMatchObject({ value: "1s", origin: "flag" });
    expect(await of([], files, env)).toMatchObject({ value: "2s", origin: "environment" });
    expect(await of([], files)).toMatchObject({ value: "3s", origin: "/work/.env" });
    expect(await of([], { [GLOBAL]: files[GLOBAL] ?? "" })).toMatchObject({ value: "4s", origin: GLOBAL });
    expect(await of([], {})).toMatchObject({ value: null, origin: "not set" });
    const { of: all } = await shown([], files);
    expect(all("agent-card")).toMatchObject({ value: "https://global.example", origin: GLOBAL });
    expect(all("poll-interval")).toMatchObject({ value: "2s", origin: "default" });
  });

  test("the file that is named, in the place of the nearest one; one that is not there is wrong usage", async () => {
    const files = { "/work/.env": "A2ACLI_TIMEOUT=3s", "agent.env": "A2ACLI_TIMEOUT=9s" };
    const { of } = await shown(["--config", "agent.env"], files);
    expect(of("timeout")).toMatchObject({ value: "9s", origin: "agent.env" });
    expect((await new ScriptedAgent({}).run(["config", "show", "--config", "none.env"])).code).toBe(2);
  });

  test("somewhere that is told, also where it is secret, which is not", async () => {
    const { run, of } = await shown(["--bearer", "secret-token"], { [GLOBAL]: "A2ACLI_API_KEY=secret-key" });
    expect(of("bearer")).toMatchObject({ value: "[redacted]", origin: "flag" });
    expect(of("api-key")).toMatchObject({ value: "[redacted]", origin: GLOBAL });
    expect(run.stdout).not.toContain("secret-");
  });
});

describe("a file that was only found", () => {
  test("may name an agent, and gets no credential from elsewhere for it", async () => {
    const files = { "/work/app/.env": `A2ACLI_AGENT_CARD=${ORIGIN}`, [GLOBAL]: "A2ACLI_BEARER=secret-token" };
    const a = new ScriptedAgent({ answers, card });
    const run = await a.run(["send", "hi", "-o", "json"], { files, env: {} });
    expect([run.code, run.json()]).toMatchObject([2, { error: { code: "A2ACLI_ERR_USAGE" } }]);
    expect(a.calls).toEqual([]);
    expect((await a.run(["send", "hi", "-a", ORIGIN], { files, env: {} })).code).toBe(0);
    const own = { "/work/app/.env": `A2ACLI_AGENT_CARD=${ORIGIN}\nA2ACLI_BEARER=its-own` };
    await a.run(["send", "hi"], { files: own, env: {} });
    expect(a.seen.map(({ headers }) => headers.get("authorization"))).toEqual([
      "Bearer secret-token",
      "Bearer its-own",
    ]);
  });

  test("turns no verification off", async () => {
    const files = { "/work/app/.env": "A2ACLI_INSECURE=true" };
    const run = await new ScriptedAgent({ answers }).run(["send", "hi"], {
      files,
      env: { A2ACLI_AGENT_CARD: ORIGIN },
    });
    expect([run.code, run.cli.trustsAnyCertificate]).toEqual([0, false]);
  });
});

test("no agent named is wrong usage, and the tool tells its version by -v where there is no command", async () => {
  const run = await new ScriptedAgent({}).run(["send", "hi", "-o", "json"], { env: {} });
  expect([run.code, run.json()]).toMatchObject([2, { error: { code: "A2ACLI_ERR_USAGE" } }]);
  expect((await new ScriptedAgent({}).run(["-v"])).stdout).toBe("agents 1.2.3\n");
});
