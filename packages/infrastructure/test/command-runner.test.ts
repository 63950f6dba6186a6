import { mkdirSync, mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { type CommandRunnerHarness, commandRunnerSuite, HOST_ENVIRONMENT } from "@cleveragents/testing";
import { describe, expect, test } from "vitest";
import { BubblewrapLauncher } from "../src/bubblewrap/index.ts";
import { ProcessCommandRunner } from "../src/process/index.ts";
import { isolationHere } from "./isolation-here.ts";

const isolation = await isolationHere();
const env = HOST_ENVIRONMENT;

async function openWith(isolated: boolean): Promise<CommandRunnerHarness> {
  const base = realpathSync(mkdtempSync(path.join(tmpdir(), "commands-")));
  const root = path.join(base, "root");
  mkdirSync(path.join(root, "sub"), { recursive: true });
  const launcher = isolated ? { isolation: new BubblewrapLauncher({ env, hidden: [] }) } : {};
  return {
    runner: new ProcessCommandRunner({ env, ...launcher, graceMs: 1000 }),
    base,
    root,
    projectRoot: path.join(base, "project"),
    supports: { projectPath: isolated, signals: !isolated, sessions: isolated, readOnly: isolated },
    async [Symbol.asyncDispose]() {
      rmSync(base, { recursive: true, force: true });
    },
  };
}

describe("commands as plain processes", () => commandRunnerSuite(() => openWith(false)));

describe.skipIf(!isolation.works)(`commands in bubblewrap ${isolation.why}`, () =>
  commandRunnerSuite(() => openWith(true)),
);

test("bubblewrap works here, or the kernel does not allow it", (context) => {
  if (isolation.works) return;
  if (isolation.impossible || process.env["REQUIRE_SERVICES"] !== "1") context.skip(isolation.why);
  expect.fail(`commands cannot be isolated: ${isolation.why}`);
});
