import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { BubblewrapLauncher } from "./bubblewrap-launcher.ts";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), "probe-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const probe = () => new BubblewrapLauncher({ env: { PATH: folder }, hidden: [] }).probe();
function bwrap(script: string): void {
  writeFileSync(path.join(folder, "bwrap"), `#!/bin/sh\n${script}\n`);
  chmodSync(path.join(folder, "bwrap"), 0o755);
}

describe.skipIf(process.platform !== "linux")("the probe of bubblewrap", () => {
  it("says that it is not installed", async () => {
    expect(await probe()).toEqual({ level: "none", why: "bubblewrap is not installed" });
  });

  it("gives the reason that bubblewrap gives", async () => {
    bwrap("echo 'bwrap: setting up uid map: Permission denied' >&2; exit 1");
    expect(await probe()).toEqual({
      level: "none",
      why: "bubblewrap is installed and does not work here: setting up uid map: Permission denied",
    });
  });

  it("does not believe a success that no command has had", async () => {
    bwrap("exit 0");
    expect(await probe()).toMatchObject({ level: "none" });
  });
});
