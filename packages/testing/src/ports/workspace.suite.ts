import { describe } from "vitest";
import { applyingTests } from "./workspace/applying.ts";
import { checkingTests } from "./workspace/checking.ts";
import { comparingTests } from "./workspace/comparing.ts";
import { creatingTests } from "./workspace/creating.ts";
import { keepingTests } from "./workspace/keeping.ts";
import { mergingTests } from "./workspace/merging.ts";
import type { OpenWorkspace } from "./workspace/opened.ts";
import { refusingTests } from "./workspace/refusing.ts";
import { restoringTests } from "./workspace/restoring.ts";
import { selectingTests } from "./workspace/selecting.ts";
import { undoingTests } from "./workspace/undoing.ts";

export type { OpenWorkspace, WorkspaceHarness } from "./workspace/opened.ts";

/**
 * What every `Workspace` owes, whatever its projects are kept in. The main part is what a second sort of project does in
 * code of its own: how it is read, and what of it is compared. From there on trees are alike.
 */
export function workspaceSuite(open: OpenWorkspace, part: "main" | "whole" = "whole"): void {
  describe("Workspace", () => {
    creatingTests(open);
    comparingTests(open);
    if (part === "main") return;
    checkingTests(open);
    applyingTests(open);
    undoingTests(open);
    restoringTests(open);
    selectingTests(open);
    refusingTests(open);
    keepingTests(open);
    mergingTests(open);
  });
}
