import { spawnSync } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { AGENTS, Place, until } from "./support.ts";

/** util-linux' makes a terminal for a command; the one of other systems takes other flags. */
const HAS_SCRIPT = spawnSync("script", ["--version"]).stdout?.toString().includes("util-linux") === true;
const SLOW = 120_000;

/** A command on a terminal of its own, 80 columns wide; what is typed and what is shown. */
class Terminal {
  shown = "";
  readonly #child;
  readonly ended: Promise<number | null>;

  constructor(place: Place, args: readonly string[]) {
    const words = [process.execPath, AGENTS, ...args].map((word) => `'${word}'`).join(" ");
    const command = `stty cols 80 rows 24; exec ${words}`;
    this.#child = place.start("script", ["--quiet", "--return", "--command", command, "/dev/null"], {
      env: { NO_COLOR: "", TERM: "xterm", PAGER: "head -n 5", SHELL: "/bin/sh" },
    });
    this.#child.stdout?.setEncoding("utf8").on("data", (text: string) => {
      this.shown += text;
    });
    this.ended = new Promise((resolve) => this.#child.on("close", resolve));
  }

  async sees(text: string): Promise<void> {
    await until(() => this.shown.includes(text));
  }

  type(keys: string): void {
    this.#child.stdin?.write(keys);
  }
}

async function withPlan(place: Place): Promise<string> {
  const project = join(place.dir, "project");
  mkdirSync(project);
  writeFileSync(join(project, "a.txt"), "a\n");
  writeFileSync(
    join(place.dir, "action.yaml"),
    `name: it
description: d
definition_of_done: d
script:
  steps:
    - name: which
      ask: { question: "Which name?", options: [{ id: one, label: One }, { id: two, label: Two }] }
    - write: { path: a.txt, content: "{{ results.which.choice + '\\\\n' }}" }
`,
  );
  for (const args of [
    ["project", "create", "p", "--path", project],
    ["action", "add", "action.yaml"],
  ])
    expect(await place.agents(args)).toMatchObject({ code: 0 });
  return (await place.agents(["plan", "use", "it", "-o", "name"])).stdout.trim();
}

test.skipIf(!HAS_SCRIPT && process.env["REQUIRE_SERVICES"] !== "1")(
  "on a terminal a plan is watched, asked about and applied in one go, and Ctrl-C leaves a question open",
  { timeout: SLOW },
  async () => {
    await using place = new Place();
    mkdirSync(place.dataDir);
    const id = await withPlan(place);

    const left = new Terminal(place, ["plan", "execute", id]);
    await left.sees("Enter leaves it open: ");
    left.type("\x03");
    expect(await left.ended, left.shown).toBe(130);
    expect(left.shown).toContain(`to answer: agents plan status ${id}`);

    const terminal = new Terminal(place, ["plan", "execute", id]);
    await terminal.sees("Enter leaves it open: ");
    terminal.type("2\n");
    await terminal.sees("Enter leaves them for later: ");
    // The pager is quit before the end.
    terminal.type("d\n");
    await until(() => terminal.shown.split("Enter leaves them for later: ").length === 3);
    expect(terminal.shown).toContain("\x1b[1mdiff --git a/a.txt b/a.txt\x1b[22m");
    expect(terminal.shown).not.toContain("+two");
    terminal.type("yes\n");
    expect(await terminal.ended, terminal.shown).toBe(0);
    expect(terminal.shown).toContain("apply / \x1b[32mapplied\x1b[39m");
    expect(readFileSync(join(place.dir, "project/a.txt"), "utf8")).toBe("two\n");
  },
);
