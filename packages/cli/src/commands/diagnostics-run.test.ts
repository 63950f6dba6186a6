import { describe, expect, test } from "vitest";
import { FakeCli } from "../testing/fake-cli.ts";
import { goldenText } from "../testing/golden-text.ts";
import { CONFIG } from "../testing/our-server.ts";

const METHOD = "_cleveragents/diagnostics/run";
const check = (id: string, status: string, more: object = {}) => ({
  id,
  status,
  summary: `${id} found`,
  ...more,
});
const report = (status: string, ...checks: object[]) => ({
  status,
  version: "1.2.3",
  service: "cleveragents",
  timestamp: "2026-07-01T12:00:00Z",
  checks,
});
const BROKEN = report(
  "error",
  check("store", "ok"),
  check("disk", "warn", { remediation: "free some space" }),
  check("git", "error", { remediation: "install git" }),
);

describe("agents diagnostics run", () => {
  test("shows what is written down of it", async () => {
    const given = { argv: "diagnostics run", method: METHOD, result: BROKEN, names: "disk\ngit", code: 1 };
    await expect(await goldenText(given)).toMatchFileSnapshot("golden/diagnostics-run.txt");
  });

  test("ends with 1 for what does not work, and with 0 for what only works less well", async () => {
    const code = (result: object) => new FakeCli({ calls: { [METHOD]: result } }).run("diagnostics");
    expect(await code(BROKEN)).toBe(1);
    expect(await code(report("warn", check("disk", "warn")))).toBe(0);
  });

  test("prints the result itself for programs, and names what is not well", async () => {
    const json = new FakeCli({ calls: { [METHOD]: BROKEN } });
    await json.run("diagnostics", "run", "-o", "json");
    expect(JSON.parse(json.stdout)).toEqual(BROKEN);
    const names = new FakeCli({ calls: { [METHOD]: BROKEN } });
    await names.run("diagnostics", "run", "-o", "name");
    expect(names.stdout).toBe("disk\ngit\n");
  });

  test("writes one file to be handed on, for this user alone, with the settings of the command but no secret of them", async () => {
    const calls = { [METHOD]: { ...BROKEN, files: [{ name: "owner.log", text: "one\ntwo" }] } };
    const files = { [CONFIG]: '[server]\ntoken = "top-secret"\n' };
    const cli = new FakeCli({ calls, files });
    expect(await cli.run("diagnostics", "run", "--bundle", "b.json")).toBe(1);
    expect(cli.paramsOf(METHOD)).toEqual({ files: true });
    const text = cli.written.get("/work/app/b.json") ?? "";
    expect(JSON.parse(text)).toMatchObject({
      made_at: "2026-07-01T12:00:00.000Z",
      command: { version: "1.2.3", connection: "socket" },
      report: { status: "error" },
      files: { "owner.log": ["one", "two"] },
    });
    expect(text).not.toContain("top-secret");
    expect(cli.stdout).not.toContain("owner.log");
    const out = new FakeCli({ calls, files });
    await out.run("diagnostics", "run", "--bundle", "-");
    expect([JSON.parse(out.stdout), out.written.size]).toMatchObject([{ report: { status: "error" } }, 0]);
  });
});
