import { chmodSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import type { CommandRequest, CommandResult } from "@cleveragents/application";
import { BubblewrapLauncher } from "../src/bubblewrap/index.ts";
import { ProcessCommandRunner } from "../src/process/index.ts";

export const SECRET = "the-secret-that-nobody-may-read";
const NODE_FOLDER = path.dirname(realpathSync(process.execPath));

/** A user's machine in a folder: a home with credentials, a data directory, a project and toolchains. */
export class IsolatedHost implements Disposable {
  readonly base = realpathSync(mkdtempSync(path.join(tmpdir(), "isolated-")));
  readonly home = path.join(this.base, "home");
  readonly dataDir = path.join(this.home, ".cleveragents");
  readonly root = path.join(this.dataDir, "sandboxes/plan/tree");
  readonly project: string;
  readonly env: Record<string, string>;
  readonly runner: ProcessCommandRunner;

  constructor(
    options: { readonly project?: string; readonly path?: (home: string) => readonly string[] } = {},
  ) {
    this.project = path.resolve(this.home, options.project ?? "code/mine");
    for (const folder of [this.root, this.project]) mkdirSync(folder, { recursive: true });
    this.secret(".ssh/id_ed25519", ".npmrc", ".docker/config.json", ".cleveragents/owner.json");
    writeFileSync(path.join(this.project, "real.txt"), SECRET);
    const folders = [...(options.path?.(this.home) ?? []), NODE_FOLDER, "/usr/local/bin:/usr/bin:/bin"];
    this.env = {
      ...{ HOME: this.home, PATH: folders.join(":"), API_KEY: SECRET, TMPDIR: path.join(this.base, "tmp") },
      ...{
        SSH_AUTH_SOCK: `${this.base}/ssh-agent.1`,
        DOCKER_HOST: `unix://${this.home}/.docker/run/docker.sock`,
      },
    };
    const isolation = new BubblewrapLauncher({ env: this.env, hidden: [this.dataDir] });
    // It does not know the secret, and so cannot take it out of the output.
    const env = { HOME: this.home, PATH: this.env["PATH"] as string };
    this.runner = new ProcessCommandRunner({ env, graceMs: 300, isolation });
  }

  secret(...names: string[]): void {
    for (const name of names) this.file(name, SECRET);
  }

  /** A file below the home. */
  file(name: string, content: string, mode = 0o644): string {
    const file = path.join(this.home, name);
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, content);
    chmodSync(file, mode);
    return file;
  }

  program(name: string, says: string): string {
    return this.file(name, `#!/bin/sh\necho ${says}\n`, 0o755);
  }

  link(name: string, target: string): void {
    mkdirSync(path.dirname(path.join(this.home, name)), { recursive: true });
    symlinkSync(target, path.join(this.home, name));
  }

  run(command: CommandRequest["command"], more: Partial<CommandRequest> = {}): Promise<CommandResult> {
    return this.runner.run({
      command,
      root: this.root,
      projectRoot: this.project,
      timeoutMs: 30_000,
      network: false,
      signal: new AbortController().signal,
      ...more,
    });
  }

  [Symbol.dispose](): void {
    rmSync(this.base, { recursive: true, force: true });
  }
}
