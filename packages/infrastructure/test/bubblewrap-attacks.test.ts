import { spawn } from "node:child_process";
import {
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { createServer } from "node:net";
import path from "node:path";
import { CommandNotStartedError } from "@cleveragents/application";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { IsolatedHost, SECRET } from "./isolated-host.ts";
import { isolationHere } from "./isolation-here.ts";

const isolation = await isolationHere();

/** What a command of a plan might try. The host must be as it was, and nothing secret may be in the output. */
describe.skipIf(!isolation.works)(`a hostile command in bubblewrap ${isolation.why}`, () => {
  let host: IsolatedHost;
  beforeEach(() => {
    host = new IsolatedHost();
  });
  afterEach(() => host[Symbol.dispose]());

  async function learns(command: string, env: Record<string, string> = {}): Promise<string> {
    const { stdout, stderr } = await host.run(command, { env });
    return stdout + stderr;
  }

  test.each([
    ["by its path", (h: IsolatedHost) => `cat '${h.dataDir}/owner.json' '${h.home}/.ssh/id_ed25519'`],
    ["from the home", () => "ls -A ~; cat ~/.ssh/* ~/.npmrc ~/.docker/config.json ~/.cleveragents/*"],
    [
      "through process 1",
      (h: IsolatedHost) => `cat '/proc/1/root${h.home}/.npmrc' /proc/1/environ /proc/1/cwd/x`,
    ],
    ["through the own root", (h: IsolatedHost) => `cat '/proc/self/root/../..${h.home}/.npmrc'`],
    ["through a link", (h: IsolatedHost) => `ln -s '${h.dataDir}' out; cat out/owner.json; ls out/`],
    ["of the real project", (h: IsolatedHost) => `cat real.txt '${h.project}/real.txt' .git/config`],
    ["in the environment", () => "env; cat /proc/*/environ"],
    [
      "of the system",
      () => "cat /etc/shadow /etc/ssh/*key* /proc/kcore | head -c 1000; ls -A /run /var/run /var/lib",
    ],
  ])("reads nothing secret %s", async (_, command) => {
    expect(await learns(command(host))).not.toMatch(
      new RegExp(`${SECRET}|root:[*!$]|PRIVATE KEY|docker\\.sock`),
    );
  });

  test("sees no file of the data directory anywhere", async () => {
    const { stdout } = await host.run(
      "find / -name owner.json -not -path '/proc/*' 2>/dev/null; echo looked",
    );
    expect(stdout).toBe("looked\n");
  });

  test("writes nowhere but in the copy", async () => {
    const places = [host.home, host.project, host.dataDir, path.join(host.dataDir, "sandboxes"), host.base];
    await host.run(
      [...places, "/usr", "/etc", "/tmp", "/var/tmp", "/"]
        .map((place) => `touch '${place}/planted'`)
        .join("; "),
    );
    for (const place of [...places, "/usr", "/etc", "/tmp", "/var/tmp", "/"])
      expect(existsSync(path.join(place, "planted")), place).toBe(false);
    expect(existsSync(path.join(host.root, "planted"))).toBe(true); // at the project's place
    // Rather than into something that is thrown away without a word.
    for (const place of ["/", "/usr", "/etc"])
      expect((await host.run(`touch ${place}/planted`)).stderr, place).toMatch(/Read-only file system/);
  });

  test("neither sees nor signals a process outside", async () => {
    const stranger = spawn("sleep", ["60"]);
    try {
      expect(
        await learns(
          `kill -9 ${stranger.pid}; cat /proc/${stranger.pid}/cmdline; ls /proc | grep -c '^[0-9]'`,
        ),
      ).toMatch(/^[1-9]\n/m);
      await host.run("kill -9 -1");
      expect(stranger.exitCode ?? stranger.signalCode).toBeNull();
    } finally {
      stranger.kill("SIGKILL");
    }
  });

  describe("and the network", () => {
    const script = (target: string) =>
      `node -e 'require("net").connect(${target}).on("connect", () => { console.log("CONNECTED"); process.exit() }).on("error", (e) => console.log(e.code))'`;
    async function listening(target: number | string) {
      const server = createServer((socket) => socket.end()).listen(target);
      await new Promise((resolve) => server.once("listening", resolve));
      return server;
    }

    test("is out of reach, the loopback of the host too, unless it was granted", async () => {
      const server = await listening(0);
      try {
        const { port } = server.address() as { port: number };
        const command = script(`{ port: ${port}, host: "127.0.0.1" }`);
        expect(await learns(command)).toBe("ECONNREFUSED\n");
        expect((await host.run(command, { network: true })).stdout).toBe("CONNECTED\n");
      } finally {
        server.close();
      }
    });

    test("has no socket of the host that lies in no directory", async () => {
      const name = `cleveragents-${process.pid}-${Date.now()}`;
      const server = await listening(`\0${name}`);
      try {
        expect(await learns(script(`{ path: "\\0${name}" }`))).toBe("ECONNREFUSED\n");
      } finally {
        server.close();
      }
    });

    test("can be used among the command's own processes", async () => {
      const command = `node -e 'const s = require("net").createServer((c) => c.end("own")).listen(0, "127.0.0.1", () => require("net").connect(s.address().port, "127.0.0.1").on("data", (d) => { console.log(String(d)); process.exit() }))'`;
      expect(await learns(command)).toBe("own\n");
    });
  });

  test("can change no mount, and get no other rights", async () => {
    const tries = [
      "mount -t tmpfs none /usr",
      "mount -o remount,rw /usr",
      "mount --bind / /tmp/home",
      "umount -l /proc",
      "mknod disk b 8 0",
      "unshare -Urm true",
      "chroot / true",
      // Opened only: what would be written might work.
      ": >> /proc/sys/kernel/core_pattern",
      ": >> /proc/sys/kernel/hostname",
      ": >> /proc/sysrq-trigger",
      "find /proc -not -path '/proc/[0-9]*' -not -path '/proc/pressure/*' -type f -writable | grep .",
    ];
    const { stdout } = await host.run(tries.map((one) => `${one} 2>/dev/null && echo '${one}'`).join("; "));
    expect(stdout).toBe("");
    const { stdout: status } = await host.run("grep -E '^(CapEff|CapBnd|NoNewPrivs)' /proc/self/status");
    expect(status.replace(/\t/g, " ").trim().split("\n").sort()).toEqual([
      "CapBnd: 0000000000000000",
      "CapEff: 0000000000000000",
      "NoNewPrivs: 1",
    ]);
  });

  test("has no descriptor but its own three", async () => {
    const { stdout } = await host.run("ls -l /proc/self/fd");
    const open = [...stdout.matchAll(/ (\d+) -> (.*)$/gm)].map(([, fd, target]) => `${fd} ${target}`);
    // `ls` has one of its own; what this very process has inherited is covered by /dev/null.
    const others = open.filter((one) => !/^[012] |\/proc\/\d+\/fd$| \/dev\/null$/.test(one));
    expect(open.length).toBeGreaterThan(3);
    expect(others).toEqual([]);
  });

  test("gives no library to what isolates it", async () => {
    const { stderr } = await host.run(["true"], { env: { LD_PRELOAD: "/nowhere/evil.so" } });
    expect(stderr.match(/cannot be preloaded/g)).toHaveLength(1); // by `true` alone
  });

  test.each([
    ["a value", { A: `x\0--bind\0/\0/mnt` }],
    ["a name", { "A\0--bind\0/\0/mnt\0--setenv\0B": "x" }],
    ["an empty name", { "": "x" }],
    ["a name with =", { "A=B": "x" }],
  ])("adds no option by %s of the environment", async (_, env) => {
    const refusal = await host.run("touch x; ls /mnt", { env }).catch((error: unknown) => error);
    expect(refusal).toBeInstanceOf(CommandNotStartedError);
    // By us, and not by bubblewrap, which fails at some of them for reasons of its own.
    expect(String(refusal)).toMatch(/is not a name of a variable|holds a NUL character/);
    expect(existsSync(path.join(host.root, "x"))).toBe(false);
  });

  test("sees nothing of the data directory by what else is shown to it", async () => {
    const cat = `cat '${host.dataDir}/owner.json'; ls -A '${host.dataDir}'; cat '${host.home}/.npmrc'; echo`;
    const shown = (readable: readonly string[]) =>
      host.runner.open({
        command: ["/bin/sh", "-c", cat],
        root: host.root,
        projectRoot: host.project,
        network: false,
        confined: true,
        readable,
        signal: new AbortController().signal,
      });
    const server = await shown([host.home]);
    let said = "";
    server.stdout.on("data", (chunk: Buffer) => {
      said += chunk.toString();
    });
    await server.ended;
    expect(said).toBe(`${SECRET}\n`); // of the home, which was to be shown
    host.link("way", host.dataDir);
    for (const inside of [
      host.dataDir,
      `${host.dataDir}/owner.json`,
      `${host.home}/code/../.cleveragents`,
      `${host.home}/way`,
    ])
      await expect(shown([inside])).rejects.toThrow("cannot be shown to commands");
  });

  test("leads no mount out of the copy by a link", async () => {
    using other = new IsolatedHost({ project: "code", path: (home) => [`${home}/code/.tools/one/bin`] });
    const outside = path.join(other.base, "outside");
    mkdirSync(outside);
    other.program("code/.tools/one/bin/tool", "one");
    expect((await other.run("rm -rf .tools; tool")).stdout).toBe("one\n");
    for (const target of [outside, `/oldroot${outside}`, `/newroot${outside}`]) {
      rmSync(path.join(other.root, ".tools"), { recursive: true, force: true });
      symlinkSync(target, path.join(other.root, ".tools"));
      expect((await other.run("tool")).exitCode).toBe(127);
      expect(readdirSync(outside)).toEqual([]);
    }
  });

  test("is over when the process that runs it is killed", async () => {
    const worker = spawn(
      process.execPath,
      [
        "--conditions=@cleveragents/source",
        path.join(import.meta.dirname, "bubblewrap-worker.ts"),
        host.home,
      ],
      { stdio: ["ignore", "inherit", "inherit"] },
    );
    const beat = path.join(host.root, "beat");
    const size = () => (existsSync(beat) ? readFileSync(beat).length : 0);
    await expect.poll(size, { timeout: 30_000 }).toBeGreaterThan(0);
    worker.kill("SIGKILL");
    await expect
      .poll(
        async () => {
          const before = size();
          await new Promise((resolve) => setTimeout(resolve, 300));
          return size() - before;
        },
        { timeout: 20_000 },
      )
      .toBe(0);
  });

  test("inherits nothing that the agent was started with", async () => {
    writeFileSync(path.join(host.root, "mode"), "descriptors");
    const secret = openSync(host.file("open-in-the-shell", SECRET), "r");
    const stdio: ("ignore" | "pipe" | "inherit" | number)[] = new Array(24).fill("ignore");
    stdio.splice(1, 2, "pipe", "inherit");
    stdio[7] = stdio[23] = secret;
    const worker = spawn(
      process.execPath,
      [
        "--conditions=@cleveragents/source",
        path.join(import.meta.dirname, "bubblewrap-worker.ts"),
        host.home,
      ],
      { stdio },
    );
    closeSync(secret);
    let said = "";
    worker.stdout?.on("data", (chunk: Buffer) => {
      said += chunk.toString();
    });
    await new Promise((resolve) => worker.once("close", resolve));
    expect(said).toContain("asked");
    expect(said).not.toContain(SECRET);
  });
});
