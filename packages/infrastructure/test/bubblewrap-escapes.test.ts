import { execFileSync } from "node:child_process";
import { mkdirSync, readlinkSync, realpathSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { IsolatedHost, SECRET } from "./isolated-host.ts";
import { isolationHere } from "./isolation-here.ts";

const isolation = await isolationHere();

/** Ways out that do not go through a file of the user's; each test names one, and goes red without what closes it. */
describe.skipIf(!isolation.works)(`a command in bubblewrap ${isolation.why}`, () => {
  let host: IsolatedHost;
  beforeEach(() => {
    host = new IsolatedHost();
  });
  afterEach(() => host[Symbol.dispose]());
  const told = async (command: string) => {
    const { stdout, stderr } = await host.run(command);
    return stdout + stderr;
  };

  test("shares no namespace with the host", async () => {
    const kinds = ["cgroup", "ipc", "mnt", "net", "pid", "user", "uts"];
    const inside = (await told(kinds.map((kind) => `readlink /proc/self/ns/${kind}`).join("; ")))
      .trim()
      .split("\n");
    const shared = kinds.filter((kind, at) => readlinkSync(`/proc/self/ns/${kind}`) === inside[at]);
    expect(inside).toHaveLength(kinds.length);
    // Where bubblewrap may make no user namespaces it is root that does without.
    expect(shared.filter((kind) => kind !== "user")).toEqual([]);
  });

  test("sees no shared memory and no queue of the host's", async (context) => {
    let id: string | undefined;
    try {
      id = /(\d+)\n$/.exec(execFileSync("ipcmk", ["-M", "64"], { encoding: "utf8" }))?.[1];
    } catch {
      context.skip("ipcmk is not installed");
    }
    try {
      expect(await told("tail -n +2 /proc/sysvipc/shm /proc/sysvipc/msg /proc/sysvipc/sem")).not.toMatch(
        /^ +-?\d/m,
      );
    } finally {
      execFileSync("ipcrm", ["-m", id as string]);
    }
  });

  test("is in a session of its own, in which it has no terminal to type into", async () => {
    // Of who is outside of the process namespace the number would be 0.
    const [session = "", terminal] = (await told("sed 's/.*) //' /proc/self/stat | cut -d' ' -f4,5"))
      .trim()
      .split(" ");
    expect(Number(session)).toBeGreaterThan(0);
    expect(terminal).toBe("0");
    expect(await told(": < /dev/tty")).toMatch(/No such device or address/);
  });

  test("reaches no socket of the host's that lies in a directory, by its path or by what the environment says", async () => {
    const sockets = [
      path.join(host.base, "ssh-agent.1"),
      path.join(host.home, ".docker/run/docker.sock"),
      path.join(host.dataDir, "owner.sock"),
    ];
    const servers = sockets.map((socket) => {
      mkdirSync(path.dirname(socket), { recursive: true });
      return createServer((stream) => stream.end(SECRET)).listen(socket);
    });
    try {
      const tried = `for (const socket of ${JSON.stringify(sockets)}) require("net").connect(socket).on("connect", () => { console.log("CONNECTED"); process.exit() }).on("error", (e) => console.log(e.code))`;
      for (const network of [false, true]) {
        const { stdout } = await host.run(["node", "-e", tried], { network });
        expect(stdout).toBe("ENOENT\nENOENT\nENOENT\n");
      }
      expect(
        await told(
          "find /run /tmp /var /home -type s 2>/dev/null; ls -A /run; env | grep -E 'SOCK|DBUS|XDG|DOCKER|DISPLAY'",
        ),
      ).toBe("");
      // What a toolchain lies in is shown, wherever that is; here it may be a place for temporary files.
      const toolchain = path.relative("/tmp", process.execPath).split(path.sep)[0];
      const shown = (await told("ls -A /tmp")).trim().split("\n");
      expect(shown.filter((name) => !name.startsWith("isolated-") && name !== toolchain)).toEqual(["home"]);
    } finally {
      for (const server of servers) server.close();
    }
  });

  test("finds of the host's folders those of the system alone, and the way to its toolchain", async () => {
    const listed = await told("ls -d /* /var/* /home/* /root/* /srv/* /opt/* /mnt/* 2>/dev/null; true");
    const system = /^\/(bin|dev|etc|gnu|lib\w*|nix|proc|run|sbin|tmp|usr|var|var\/tmp)$/;
    const toolchain = realpathSync(process.execPath);
    expect(
      listed.split("\n").filter((one) => one !== "" && !system.test(one) && !toolchain.startsWith(`${one}/`)),
    ).toEqual([]);
  });

  test("has the harmless devices alone", async () => {
    expect((await told("ls /dev")).trim().split("\n")).toEqual(
      expect.arrayContaining(["full", "null", "random", "tty", "urandom", "zero"]),
    );
    expect(
      await told(
        "find /dev -type b; ls -d /dev/kmsg /dev/mem /dev/kvm /dev/fuse /dev/net /dev/disk 2>/dev/null",
      ),
    ).toBe("");
  });

  test("sets no clock, no limit of the system and no name of the host", async () => {
    const tries = [
      "date -s @$(date +%s)",
      "hostname other",
      "sysctl -w kernel.hostname=other",
      "renice -n -5 $$",
      "ulimit -H -n 100000000",
    ];
    expect(await told(tries.map((one) => `${one} >/dev/null 2>&1 && echo '${one}'`).join("; "))).toBe("");
  });

  test("reads nothing of the kernel that concerns the whole machine", async () => {
    const files = ["kcore", "keys", "kmsg", "sched_debug", "timer_list"].map((name) => `/proc/${name}`);
    const folders = ["acpi", "asound", "scsi"].map((name) => `/proc/${name}`);
    // What this kernel lacks is not there inside either.
    expect(
      await told(
        `for f in ${files.join(" ")}; do head -c 1 $f 2>/dev/null; [ ! -e $f ] || [ -c $f ] || echo "$f"; done; ls -A ${folders.join(" ")} 2>/dev/null | grep -v ':$' | grep .`,
      ),
    ).toBe("");
  });

  test("looks into no memory of a process that isolates it", async () => {
    const env = { TOLD_TO_THE_COMMAND: "yes" };
    const { stdout } = await host.run(
      "tr '\\0' '\\n' < /proc/1/environ; cat /proc/1/cmdline | tr '\\0' ' '; ls -l /proc/1/fd /proc/1/cwd /proc/1/root 2>/dev/null | grep -e '->'",
      { env },
    );
    expect(stdout).not.toMatch(/[A-Z_]+=/);
    expect(stdout).not.toContain(host.dataDir);
    expect(stdout).not.toContain(SECRET);
  });

  test("gets nothing out of a copy that is full of ways out", async () => {
    const plant = (name: string, target: string) =>
      execFileSync("ln", ["-sfn", target, path.join(host.root, name)]);
    plant("absolute", host.home);
    plant("relative", "../../../..");
    plant("proc", `/proc/self/root/..${host.home}`);
    plant("oldroot", `/oldroot${host.home}`);
    plant("fd", "/proc/self/fd/3");
    writeFileSync(path.join(host.root, "own"), "own");
    const said = await told(
      "cat own; for l in absolute relative proc oldroot; do cat $l/.npmrc $l/home/.npmrc; done; cat fd; find -L . -name owner.json",
    );
    expect(said).toMatch(/^own/);
    expect(said).not.toContain(SECRET);
  });
});
