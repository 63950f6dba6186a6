import { describe, expect, test } from "vitest";
import { FakeCli, type FakeCliOptions, Refusal } from "../testing/fake-cli.ts";
import { APPLIED, DIFF, DIGEST, PLAN_ID, STATUS, statusUpdate, taskItem } from "../testing/samples.ts";

const APPLY = "_cleveragents/plan/apply";

function cli(options: FakeCliOptions = {}) {
  return new FakeCli({
    ...options,
    calls: { "_cleveragents/plan/diff": DIFF, [APPLY]: APPLIED, ...options.calls },
  });
}
const apply = (fake: FakeCli, ...flags: string[]) => fake.run("plan", "apply", PLAN_ID, ...flags);
const terminal = { isTTY: true, env: { NO_COLOR: "1" } };

describe("plan apply on a terminal", () => {
  test("shows the changes with their digest, asks, and applies exactly those after yes", async () => {
    const fake = cli({ ...terminal, stdin: "yes\n" });
    expect(await apply(fake)).toBe(0);
    expect(fake.stderr).toContain(`Apply to local/app: 2 files\nDigest ${DIGEST}\n`);
    expect(fake.stderr).toMatch(/Only 'yes' will be accepted: $/);
    expect(fake.paramsOf(APPLY)).toEqual({ plan_id: PLAN_ID, digest: DIGEST });
    expect(fake.stdout).toContain("Applied:  2 files");
  });

  test.each(["no\n", "y\n", "YES\n", "\n", ""])("applies nothing after %j", async (stdin) => {
    const fake = cli({ ...terminal, stdin });
    expect(await apply(fake)).toBe(1);
    expect(fake.paramsOf(APPLY)).toBeUndefined();
    expect(fake.stderr).toContain("error: nothing was applied\n");
  });

  test("does not ask with --no-input", async () => {
    const fake = cli({ ...terminal, stdin: "yes\n" });
    expect(await apply(fake, "--no-input")).toBe(2);
    expect(fake.stdinRead).toBe(false);
  });
});

describe("plan apply without a terminal", () => {
  test("needs --yes or --digest, and sends nothing before", async () => {
    const fake = cli({ stdin: "yes\n" });
    expect(await apply(fake)).toBe(2);
    expect(fake.stderr).toBe(
      "error: apply asks before it writes, and there is no terminal to ask on\n" +
        `hint: agents plan apply ${PLAN_ID} --digest D applies what was reviewed (agents plan status shows the digest), --yes whatever the plan offers\n`,
    );
    expect(fake.connections).toEqual([]);
    expect(fake.stdinRead).toBe(false);
  });

  test("applies with --yes, and sends the digest that it displayed", async () => {
    const fake = cli();
    expect(await apply(fake, "-y")).toBe(0);
    expect(fake.paramsOf(APPLY)).toMatchObject({ digest: DIGEST });
    expect(fake.stderr).toContain(DIGEST);
  });

  test("applies with the digest that was reviewed, and refuses another one with 13", async () => {
    expect(await apply(cli(), "--digest", DIGEST)).toBe(0);
    const other = cli();
    expect(await apply(other, "--digest", `sha256:${"0".repeat(64)}`)).toBe(13);
    expect(other.paramsOf(APPLY)).toBeUndefined();
    expect(other.stderr).toContain(`hint: look at them: agents plan diff ${PLAN_ID}\n`);
  });
});

describe("plan apply of a part, a merge, or to a branch", () => {
  test("shows and applies the same selection, by the digest that the part has", async () => {
    const digest = `sha256:${"a1".repeat(32)}`;
    const part = { ...DIFF, digest, left_out: { digest: DIGEST, paths: ["docs/auth.md"] } };
    const fake = cli({ calls: { "_cleveragents/plan/diff": part } });
    const flags = ["--only", "src/**", "--exclude", "*.md", "--rebase", "--branch", "agents/fix"];
    expect(await apply(fake, ...flags, "-y")).toBe(0);
    const selection = { only: ["src/**"], exclude: ["*.md"], rebase: true };
    expect(fake.paramsOf("_cleveragents/plan/diff")).toEqual({
      plan_id: PLAN_ID,
      include_patch: false,
      ...selection,
    });
    expect(fake.paramsOf(APPLY)).toEqual({ plan_id: PLAN_ID, digest, ...selection, branch: "agents/fix" });
  });

  test("a dry run asks nothing, applies nothing, and says what would be written", async () => {
    const rehearsal = {
      ...APPLIED,
      state: "complete",
      dry_run: true,
      files: [{ path: "src/auth/token.ts", op: "write" }],
    };
    const fake = cli({ calls: { [APPLY]: rehearsal } });
    expect(await apply(fake, "--dry-run", "-o", "name")).toBe(0);
    expect(fake.paramsOf(APPLY)).toEqual({ plan_id: PLAN_ID, digest: DIGEST, dry_run: true });
    expect(fake.stdout).toBe("src/auth/token.ts\n");
    expect(fake.stdinRead).toBe(false);
  });

  test("a dry run that is refused has the exit code of the refusal", async () => {
    const refusal = new Refusal(-32004, "no", { reason: "PLAN_BASE_DRIFT" });
    expect(await apply(cli({ calls: { [APPLY]: refusal } }), "--dry-run")).toBe(13);
  });
});

test.each(["PLAN_BASE_DRIFT", "DIGEST_MISMATCH", "CHANGESET_REFUSED"])(
  "a server that refuses with %s is exit code 13",
  async (reason) => {
    expect(await apply(cli({ calls: { [APPLY]: new Refusal(-32004, "no", { reason }) } }), "-y")).toBe(13);
  },
);

test("an apply that is still going on is followed to its end", async () => {
  const fake = cli({
    calls: {
      [APPLY]: { ...APPLIED, state: "running" },
      "_cleveragents/plan/status": { ...STATUS, state: "applied", task_state: "TASK_STATE_COMPLETED" },
    },
    streams: [[taskItem("TASK_STATE_WORKING"), statusUpdate("TASK_STATE_COMPLETED")]],
  });
  expect(await apply(fake, "-y")).toBe(0);
  expect(fake.stdout).toContain("applied");
});

test("how far the writing of many files is, is said while it lasts", async () => {
  const files = Array.from({ length: 500 }, (_, n) => ({ ...DIFF.files[0], path: `f${n}` }));
  const event = {
    event: "sandbox.progress",
    stage: "applying",
    files: 500,
    bytes: 2_100_000_000,
    seconds: 10,
  };
  const fake: FakeCli = cli({
    calls: {
      "_cleveragents/plan/diff": { ...DIFF, files },
      [APPLY]: async () => {
        await expect.poll(() => fake.stderr).toContain("Sandbox: writing 500 files, 2.1 GB (10 s)\n");
        return APPLIED;
      },
    },
    streams: [[taskItem("TASK_STATE_WORKING"), statusUpdate("TASK_STATE_WORKING", event), "hang"]],
  });
  expect(await apply(fake, "-y")).toBe(0);
  expect(fake.stdout).toContain("Applied:");
});
