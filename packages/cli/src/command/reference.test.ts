import { expect, test } from "vitest";
import { referencePage } from "../testing/reference-page.ts";

test("the reference page says what help says (written anew with vitest -u)", async () => {
  await expect(referencePage()).toMatchFileSnapshot("../../../../docs/reference/agents.md");
});
