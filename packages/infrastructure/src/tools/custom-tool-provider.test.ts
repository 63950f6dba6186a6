import { mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import {
  type RegistryEntry,
  type Sandbox,
  type ToolContext,
  ToolError,
  TrustRequiredError,
} from "@cleveragents/application";
import { type JsonObject, SkillRegistrationSchema, ToolSchema } from "@cleveragents/domain";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { ProcessCommandRunner } from "../process/index.ts";
import { CustomToolProvider } from "./custom-tool-provider.ts";

const warned: unknown[] = [];
const logger = { debug() {}, info() {}, error() {}, warn: (fields: unknown) => void warned.push(fields) };
let base: string;
let trusted: boolean;
let entries: RegistryEntry[];
let provider: CustomToolProvider;

beforeEach(() => {
  base = realpathSync(mkdtempSync(path.join(tmpdir(), "custom-tools-")));
  trusted = true;
  entries = [];
  warned.length = 0;
  provider = new CustomToolProvider({
    registry: { list: async (kind) => entries.filter((entry) => entry.kind === kind) },
    commands: new ProcessCommandRunner({ env: { PATH: process.env["PATH"] } }),
    trust: {
      async demand({ kind, name }) {
        if (!trusted) throw new TrustRequiredError(kind, name, "sha256:1", false);
      },
    },
    logger,
  });
});
afterEach(() => rmSync(base, { recursive: true, force: true }));

async function register(document: JsonObject): Promise<void> {
  const tool = ToolSchema.parse({ description: "x", ...document });
  const kept = JSON.parse(JSON.stringify(tool)) as JsonObject;
  entries.push({ kind: "tool", name: tool.name, document: kept, createdAt: 1, updatedAt: 1 });
  await provider.refresh();
}

function call(name: string, args: JsonObject = {}, more: Partial<ToolContext> = {}) {
  const descriptor = provider.list().find((tool) => tool.name === name);
  if (descriptor === undefined) throw new Error(`no ${name}`);
  const sandbox = { root: base, projectRoot: path.join(base, "project") } as Sandbox; // tools take nothing else of it
  return provider.call(name, descriptor.input.parse(args), {
    planId: "plan",
    sandbox,
    signal: AbortSignal.timeout(60_000),
    network: false,
    ...more,
  });
}
const refusal = (promise: Promise<unknown>) =>
  promise.then(
    () => undefined,
    (error: unknown) => error as ToolError,
  );
const PATH_INPUT = { type: "object", properties: { path: { type: "string" } }, required: ["path"] };

describe("a custom tool", () => {
  test("runs its command with the arguments in a list, in variables, and whole", async () => {
    await register({
      name: "local/say",
      command: [
        "sh",
        "-c",
        'printf "%s|%s|%s|%s" "$1" "$ARG_MAX_COUNT" "$FIXED" "$TOOL_ARGUMENTS"',
        "-",
        "{{ args.path }}",
      ],
      env: { FIXED: "yes" },
      input_schema: {
        type: "object",
        properties: { path: { type: "string" }, "max-count": { type: "integer" } },
      },
    });
    const { value } = await call("local/say", { path: "a b; rm -rf /", "max-count": 3 });
    expect(value["stdout"]).toBe('a b; rm -rf /|3|yes|{"path":"a b; rm -rf /","max-count":3}');
  });

  test("leaves out an argument that is not given, where it would stand alone", async () => {
    await register({
      name: "local/args",
      command: ["printf", "[%s]", "a", "{{ args.path }}", "x{{ args.path }}"],
      input_schema: { type: "object", properties: { path: {} } },
    });
    expect((await call("local/args")).value["stdout"]).toBe("[a][x]");
  });

  test("works in the sandbox, and its arguments are checked by its JSON Schema", async () => {
    writeFileSync(path.join(base, "a.txt"), "1\n2\n3\n");
    await register({
      name: "local/count",
      command: ["wc", "-l", "{{ args.path }}"],
      input_schema: PATH_INPUT,
      read_only: true,
    });
    expect((await call("local/count", { path: "a.txt" })).value["stdout"]).toMatch(/^\s*3 a.txt/);
    const [descriptor] = provider.list();
    expect(descriptor).toMatchObject({
      source: "custom",
      inputSchema: PATH_INPUT,
      readOnly: true,
      effect: "none",
    });
    expect(descriptor?.input.safeParse({ path: 5 }).error?.issues).toMatchObject([
      { path: ["path"], message: "must be string" },
    ]);
  });

  test("is not started without consent, and says how to give it", async () => {
    await register({ name: "local/once", command: `touch ${path.join(base, "started")}` });
    trusted = false;
    expect(await refusal(call("local/once"))).toMatchObject({
      reason: "TRUST_REQUIRED",
      message: expect.stringContaining("agents trust add tool local/once --digest sha256:1"),
    });
    trusted = true;
    await call("local/once");
  });

  test("answers as its output_schema says, or fails", async () => {
    await register({
      name: "local/json",
      command: ["printf", "%s", "{{ args.text }}"],
      input_schema: { type: "object", properties: { text: { type: "string" } } },
      output_schema: { type: "object", required: ["n"], properties: { n: { type: "integer" } } },
    });
    expect((await call("local/json", { text: '{"n":2}' })).value).toEqual({ n: 2 });
    expect((await refusal(call("local/json", { text: "no" })))?.reason).toBe("TOOL_OUTPUT");
    expect(await refusal(call("local/json", { text: '{"n":"2"}' }))).toMatchObject({
      reason: "TOOL_OUTPUT",
      message: expect.stringContaining("n: must be integer"),
    });
  });

  test("that fails is told with what it said", async () => {
    await register({ name: "local/fail", command: "echo no >&2; exit 3" });
    expect(await refusal(call("local/fail"))).toMatchObject({
      reason: "COMMAND_FAILED",
      details: { exitCode: 3, stderr: "no\n" },
    });
  });

  test("that changes files is not called in a phase that only looks", async () => {
    await register({ name: "local/write", command: "true" });
    expect((await refusal(call("local/write", {}, { readOnly: true })))?.reason).toBe("READ_ONLY");
  });

  test("whose schema is none is left out with a warning, and the others stay", async () => {
    await register({ name: "local/good", command: "true" });
    await register({ name: "local/bad", command: "true", input_schema: { type: "object", properties: 5 } });
    expect(provider.list().map(({ name }) => name)).toEqual(["local/good"]);
    expect(warned).toMatchObject([{ tool: "local/bad" }]);
  });
});

describe("where a custom tool runs", () => {
  test.each([
    ["a container that the plan does not have", "required", /on the host/],
    ["another container", { preference: "specific", target_resource: "gpu" }, /runs in gpu only/],
  ] as const)("in %s: it says so, and never runs on the host instead", async (_, environment, expected) => {
    await register({ name: "local/there", command: "true", environment: environment as never });
    expect(await refusal(call("local/there"))).toMatchObject({
      reason: "ENVIRONMENT_REQUIRED",
      message: expect.stringMatching(expected),
    });
  });

  test("a slot for the project is its folder, another one that has to be filled is told", async () => {
    await register({
      name: "local/slots",
      command: 'printf %s "$RESOURCE_REPO"',
      resources: { repo: { type: "git-checkout" } },
    });
    expect((await call("local/slots")).value["stdout"]).toBe(".");
    await register({ name: "local/db", command: "true", resources: { db: { type: "local/database" } } });
    expect((await refusal(call("local/db")))?.reason).toBe("RESOURCE_UNBOUND");
  });

  test("an argument that no command can have is refused", async () => {
    await register({ name: "local/nul", command: ["echo", "{{ args.path }}"], input_schema: PATH_INPUT });
    const refused = await refusal(call("local/nul", { path: "a\0b" }));
    expect(refused).toBeInstanceOf(ToolError);
    expect(refused?.reason).toBe("INVALID_ARGUMENTS");
  });
});

test("a tool that a skill has of its own is called by the skill's name and its own, once it is trusted", async () => {
  const skill = SkillRegistrationSchema.parse({
    name: "local/deploy",
    anonymous_tools: [{ name: "greet", description: "Greets", command: ["echo", "hello"] }],
  });
  const document = JSON.parse(JSON.stringify(skill)) as JsonObject;
  entries.push({ kind: "skill", name: "local/deploy", document, createdAt: 1, updatedAt: 1 });
  await provider.refresh();
  expect(provider.list().map(({ name }) => name)).toEqual(["local/deploy__greet"]);
  expect((await call("local/deploy__greet")).value["stdout"]).toBe("hello\n");
  trusted = false;
  await expect(call("local/deploy__greet")).rejects.toMatchObject({
    reason: "TRUST_REQUIRED",
    message: expect.stringContaining("agents trust add tool local/deploy__greet"),
  });
});
