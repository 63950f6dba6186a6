import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import path from "node:path";
import {
  type CommandRunner,
  type Sandbox,
  SkillCatalog,
  type ToolContext,
  ToolError,
  TrustService,
} from "@cleveragents/application";
import type { JsonObject } from "@cleveragents/domain";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { SystemClock } from "../src/clock/index.ts";
import { InMemoryRegistryStore } from "../src/memory/index.ts";
import { ProcessCommandRunner } from "../src/process/index.ts";
import { AgentSkillFolders, AgentSkillToolProvider, SkillSnapshots } from "../src/skills/index.ts";
import { IsolatedHost } from "./isolated-host.ts";
import { isolationHere } from "./isolation-here.ts";

const isolation = await isolationHere();
const OWNER = { id: "local", scopes: ["trust:write"] } as const;

/** A project with a skill of its own, and the tools of skills on it. */
class Scene {
  readonly host = new IsolatedHost();
  readonly trust: TrustService;
  readonly tools: AgentSkillToolProvider;
  readonly snapshots = path.join(this.host.dataDir, "skill-copies");

  constructor(commands: (host: IsolatedHost) => CommandRunner) {
    const clock = new SystemClock();
    const registry = new InMemoryRegistryStore();
    this.trust = new TrustService({ registry, clock });
    const folders = new AgentSkillFolders({ home: this.host.home });
    const now = { now: () => this.ticks++ * 10_000 };
    this.tools = new AgentSkillToolProvider({
      catalog: new SkillCatalog({ registry, folders, clock: { ...clock, ...now } as SystemClock }),
      commands: commands(this.host),
      trust: this.trust,
      snapshots: new SkillSnapshots({ folder: this.snapshots }),
    });
  }
  ticks = 1;

  skill(name: string, scripts: Readonly<Record<string, string>>, front = ""): string {
    const folder = path.join(this.host.project, ".agents/skills", name);
    mkdirSync(path.join(folder, "scripts"), { recursive: true });
    writeFileSync(path.join(folder, "SKILL.md"), `---\nname: ${name}\ndescription: d\n${front}---\nDo it.\n`);
    for (const [file, content] of Object.entries(scripts)) {
      mkdirSync(path.dirname(path.join(folder, file)), { recursive: true });
      writeFileSync(path.join(folder, file), content);
    }
    return folder;
  }

  async call(tool: string, args: JsonObject, more: Partial<ToolContext> = {}) {
    const sandbox = { root: this.host.root, projectRoot: this.host.project } as Sandbox; // tools take nothing else
    const signal = new AbortController().signal;
    return (
      await this.tools.call(`skill/${tool}`, args, { planId: "p", sandbox, signal, network: false, ...more })
    ).value;
  }

  async refusal(tool: string, args: JsonObject, more?: Partial<ToolContext>): Promise<ToolError> {
    const error: unknown = await this.call(tool, args, more).catch((failure: unknown) => failure);
    if (!(error instanceof ToolError)) throw error;
    return error;
  }

  async run(name: string, script: string, more: JsonObject = {}) {
    return String((await this.call("run_script", { name, script, ...more }))["stdout"]);
  }

  async trusted(name: string): Promise<void> {
    await this.refusal("run_script", { name, script: "scripts/none.sh" });
    const { details, reason } = await this.refusal("run_script", { name, script: "scripts/run.sh" });
    if (reason !== "TRUST_REQUIRED") throw new Error(reason);
    await this.trust.grant(OWNER, { kind: "skill", name, digest: String(details["digest"]) });
  }
}

let scene: Scene;
afterEach(() => scene.host[Symbol.dispose]());

describe.skipIf(!isolation.works)(`a script of a skill in bubblewrap ${isolation.why}`, () => {
  beforeEach(() => {
    scene = new Scene((host) => host.runner);
  });

  test("runs in the plan's copy, with its skill to read and nothing of the host", async () => {
    const hostile = [
      "#!/bin/sh",
      'cat "$SKILL_DIR/references/x.txt"; echo "$SKILL_NAME $1 $SKILL_PARAM_SIZE"; pwd',
      "echo made > made.txt",
      'echo x > "$SKILL_DIR/scripts/run.sh" || echo kept; touch "$SKILL_DIR/new" || echo kept',
      `cat ${scene.host.home}/.npmrc ${scene.host.project}/real.txt; ls -A ${scene.host.dataDir}`,
      `echo x > ${scene.host.home}/out.txt; echo x > /etc/out.txt; echo x > ${scene.host.dataDir}/out.txt`,
      "exit 0",
    ];
    const folder = scene.skill("x", {
      "scripts/run.sh": hostile.join("\n"),
      "references/x.txt": "reference\n",
    });
    await scene.trusted("x");
    const said = await scene.run("x", "scripts/run.sh", { args: ["one two"], params: { size: { a: 1 } } });
    expect(said).toBe(`reference\nx one two {"a":1}\n${scene.host.project}\nkept\nkept\n`);
    expect(readFileSync(path.join(scene.host.root, "made.txt"), "utf8")).toBe("made\n");
    expect(readdirSync(scene.host.root)).toEqual(["made.txt"]);
    for (const place of [scene.host.home, "/etc", scene.host.dataDir])
      expect(existsSync(path.join(place, "out.txt"))).toBe(false);
    expect(readdirSync(folder).sort()).toEqual(["SKILL.md", "references", "scripts"]);
  });
});

describe("a script of a skill", () => {
  beforeEach(() => {
    scene = new Scene(
      (host) => new ProcessCommandRunner({ env: { PATH: host.env["PATH"], HOME: host.home } }),
    );
  });

  test("needs consent, which is bound to every file of the skill", async () => {
    const folder = scene.skill("x", { "scripts/run.sh": "#!/bin/sh\necho one\n" });
    const asked = await scene.refusal("run_script", { name: "x", script: "scripts/run.sh" });
    expect(asked).toMatchObject({
      reason: "TRUST_REQUIRED",
      message: expect.stringMatching(/agents trust add skill local\/x --digest sha256:/),
    });
    await scene.trusted("x");
    expect(await scene.run("x", "scripts/run.sh")).toBe("one\n");
    for (const [file, content] of [
      ["scripts/run.sh", "#!/bin/sh\necho two\n"],
      ["assets/data.txt", "other"],
    ] as const) {
      mkdirSync(path.dirname(path.join(folder, file)), { recursive: true });
      writeFileSync(path.join(folder, file), content);
      expect(await scene.refusal("run_script", { name: "x", script: "scripts/run.sh" })).toMatchObject({
        reason: "TRUST_REQUIRED",
        message: expect.stringContaining("not what was trusted any more"),
      });
      await scene.trusted("x");
    }
    expect(await scene.run("x", "scripts/run.sh")).toBe("two\n");
  });

  test("runs from a copy that is made anew where somebody has written to it", async () => {
    scene.skill("x", { "scripts/run.sh": "#!/bin/sh\necho one\n" });
    await scene.trusted("x");
    const [digest = ""] = readdirSync(scene.snapshots);
    const copy = path.join(scene.snapshots, digest, "scripts/run.sh");
    chmodSync(copy, 0o755);
    writeFileSync(copy, "#!/bin/sh\necho tampered\n");
    expect(await scene.run("x", "scripts/run.sh")).toBe("one\n");
  });

  test("is run by what it says, by its extension, or by what the caller says", async () => {
    scene.skill("x", {
      "scripts/run.sh": "echo sh $0 | sed 's:/.*/::'",
      "scripts/run.js": "console.log('node', process.argv[2])",
      "scripts/run.zig": "echo by the caller",
      "scripts/run.py": "#!/bin/sh\necho by its first line\n",
    });
    await scene.trusted("x");
    expect(await scene.run("x", "scripts/run.sh")).toBe("sh run.sh\n");
    expect(await scene.run("x", "scripts/run.js", { args: ["$HOME; x"] })).toBe("node $HOME; x\n");
    expect(await scene.run("x", "scripts/run.py")).toBe("by its first line\n");
    expect(await scene.run("x", "scripts/run.zig", { interpreter: "sh" })).toBe("by the caller\n");
    expect((await scene.refusal("run_script", { name: "x", script: "scripts/run.zig" })).reason).toBe(
      "SKILL_SCRIPT_UNKNOWN",
    );
  });

  test("that fails, is not there, or lies outside is told as that", async () => {
    scene.skill("x", { "scripts/run.sh": "#!/bin/sh\necho why >&2; exit 3\n" });
    await scene.trusted("x");
    const reason = async (args: JsonObject) =>
      (await scene.refusal("run_script", { name: "x", ...args })).reason;
    expect(
      await scene.refusal("run_script", { name: "x", script: "scripts/run.sh", args: ["a"] }),
    ).toMatchObject({
      reason: "COMMAND_FAILED",
      message: "`scripts/run.sh a` ended with exit code 3",
      details: { stderr: "why\n" },
    });
    expect(await reason({ script: "../../../../secret.sh" })).toBe("SKILL_SCRIPT_UNKNOWN");
    expect(await reason({ script: "/bin/sh" })).toBe("SKILL_SCRIPT_UNKNOWN");
    expect((await scene.refusal("run_script", { name: "nope", script: "a" })).reason).toBe("SKILL_UNKNOWN");
    expect(
      await scene
        .refusal("run_script", { name: "x", script: "scripts/run.sh" }, { environment: {} as never })
        .then(({ reason: why }) => why),
    ).toBe("NOT_AVAILABLE");
  });

  test("runs only if the skill asks for it in its allowed-tools", async () => {
    const scripts = { "scripts/run.sh": "echo ran\n", "scripts/other.sh": "echo ran\n" };
    scene.skill("bounded", scripts, "allowed-tools: Bash(scripts/run.sh:*) Read\n");
    scene.skill("by-program", scripts, "allowed-tools: Bash(sh:*)\n");
    scene.skill("reads", scripts, "allowed-tools: Read Grep\n");
    await scene.trusted("bounded");
    await scene.trusted("by-program");
    expect(await scene.run("bounded", "scripts/run.sh", { args: ["x"] })).toBe("ran\n");
    expect(await scene.run("by-program", "scripts/other.sh")).toBe("ran\n");
    for (const [name, script] of [
      ["bounded", "scripts/other.sh"],
      ["reads", "scripts/run.sh"],
    ] as const)
      expect((await scene.refusal("run_script", { name, script })).reason).toBe("SKILL_NOT_ALLOWED");
  });

  test("gets its slots as paths of the copy, and nothing that is none", async () => {
    const folder = scene.skill("x", { "scripts/run.sh": 'cat "$SKILL_RESOURCE_CONFIG"\n' });
    writeFileSync(path.join(folder, "cleveragents.yaml"), "resource_slots: [{ name: config }]\n");
    writeFileSync(path.join(scene.host.root, "c.txt"), "config\n");
    await scene.refusal("run_script", {
      name: "x",
      script: "scripts/run.sh",
      resources: { config: "c.txt" },
    });
    const [asked] = await scene.trust.list();
    await scene.trust.grant(OWNER, { kind: "skill", name: "x", digest: asked?.digest });
    const run = (resources: JsonObject) =>
      scene.refusal("run_script", { name: "x", script: "scripts/run.sh", resources });
    expect(await scene.run("x", "scripts/run.sh", { resources: { config: "c.txt" } })).toBe("config\n");
    expect((await run({})).reason).toBe("SKILL_RESOURCE_MISSING");
    expect((await run({ config: "c.txt", other: "c.txt" })).reason).toBe("SKILL_RESOURCE_UNKNOWN");
    expect((await run({ config: "../c.txt" })).reason).toBe("PATH_ESCAPE");
  });
});

describe("a model", () => {
  beforeEach(() => {
    scene = new Scene((host) => host.runner);
  });

  test("knows of skills, loads one, is not told it twice, and lets it go; each says what it costs", async () => {
    scene.skill("x", { "references/more.md": "more", "scripts/run.sh": "" }, "allowed-tools: Bash(git:*)\n");
    expect(await scene.call("discover", {})).toMatchObject({
      skills: [
        { name: "x", description: "d", source: "project", state: "discovered", tokens_to_activate: 2 },
      ],
      tokens: 1,
    });
    const activated = await scene.call("activate", { name: "x" });
    expect(activated).toMatchObject({
      name: "x",
      instructions: "Do it.\n",
      resources: [
        { path: "references/more.md", size: 4 },
        { path: "scripts/run.sh", size: 0 },
      ],
      allowed_tools: [{ pattern: "Bash(git:*)", tools: ["builtin/shell"] }],
      tokens: 2,
    });
    expect(JSON.stringify(activated)).not.toContain(scene.host.project);
    expect(await scene.call("activate", { name: "local/x" })).toEqual({ name: "x", already_active: true });
    expect(await scene.call("activate", { name: "x", again: true })).toMatchObject({
      instructions: "Do it.\n",
    });
    expect(await scene.call("deactivate", { name: "x" })).toEqual({ name: "x", was_active: true });
    expect(await scene.call("deactivate", { name: "x" })).toEqual({ name: "x", was_active: false });
    expect(await scene.call("activate", { name: "x" })).toMatchObject({ instructions: "Do it.\n" });
  });

  test("reads what lies in the skill's folder, and nothing else", async () => {
    const folder = scene.skill("x", { "references/more.md": "more" });
    symlinkSync(path.join(scene.host.home, ".npmrc"), path.join(folder, "references/link"));
    writeFileSync(path.join(folder, "assets.bin"), new Uint8Array([0, 1]));
    const read = (file: string) => scene.call("read_resource", { name: "x", path: file });
    expect(await read("references/more.md")).toEqual({ content: "more", encoding: "utf8", size: 4 });
    expect(await read("assets.bin")).toEqual({ content: "AAE=", encoding: "base64", size: 2 });
    const reason = async (file: string) =>
      (await scene.refusal("read_resource", { name: "x", path: file })).reason;
    expect(await reason("references/link")).toBe("PATH_ESCAPE");
    expect(await reason("../../../real.txt")).toBe("PATH_ESCAPE");
    expect(await reason(path.join(folder, "SKILL.md"))).toBe("PATH_ESCAPE");
    expect(await reason("gone")).toBe("FILE_NOT_FOUND");
    const files = (await scene.call("activate", { name: "x" }))["resources"] as JsonObject[];
    expect(files.map((file) => file["path"])).toEqual(["assets.bin", "references/more.md"]);
  });
});
