import { test } from "vitest";
import { applyAndUndo, mergeOfBoth, partAndRest } from "./git-apply-properties.ts";

test(
  "apply gives exactly the new tree, and undo exactly the old one; nothing else of the user's changes",
  () => applyAndUndo(2),
  300_000,
);

test("applying a part and then the rest equals applying all", () => partAndRest(2), 300_000);

test("a merge of edits that do not overlap equals both of them", () => mergeOfBoth(2), 300_000);
