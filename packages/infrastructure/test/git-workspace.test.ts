import { chmodSync } from "node:fs";
import { join } from "node:path";
import { workspaceSuite } from "@cleveragents/testing";
import { describe } from "vitest";
import { fixture } from "./git-fixtures.ts";

const files = { "a.txt": "one\ntwo\nthree\n", "bin/run.sh": "#!/bin/sh\n", "dir/b.txt": "b\n" };

for (const kind of ["git", "plain"] as const) {
  describe(`GitWorkspace over a ${kind} project`, () => {
    workspaceSuite(
      async () => {
        const made = fixture({ git: kind === "git", files });
        chmodSync(join(made.project, "bin/run.sh"), 0o755);
        return {
          workspace: made.workspace,
          project: made.project,
          restarted: () => made.again(),
          [Symbol.asyncDispose]: () => made[Symbol.asyncDispose](),
        };
      },
      kind === "git" ? "whole" : "main",
    );
  });
}
