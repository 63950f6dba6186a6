import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { readCredential } from "./remote-credential.ts";

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "keys-"));
});
afterEach(() => rm(folder, { recursive: true }));

const put = (name: string, text: string, mode = 0o600) => writeFile(join(folder, name), text, { mode });

test("a variable that is set is taken, and the file of its name else", async () => {
  const places = { env: { A_TOKEN: "of-the-environment" }, folder };
  await put("A_TOKEN", "of-the-file\n");
  expect(await readCredential(places, { env: "A_TOKEN" })).toMatchObject({
    value: "Bearer of-the-environment",
  });
  expect(await readCredential({ env: {}, folder }, { env: "A_TOKEN" })).toMatchObject({
    value: "Bearer of-the-file",
  });
});

test("what is nowhere, is empty, or can be read by others is said by its place and not by its content", async () => {
  const read = (name: string) => readCredential({ env: {}, folder }, { env: name });
  await expect(read("NOWHERE")).rejects.toMatchObject({
    reason: "REMOTE_AUTHENTICATION",
    unsent: true,
    message: expect.stringContaining("NOWHERE is not set, and there is no file keys/NOWHERE"),
  });
  await put("EMPTY", " \n");
  await expect(read("EMPTY")).rejects.toThrow("the file keys/EMPTY is empty");
  await put("OPEN", "secret", 0o644);
  const error = await read("OPEN").catch((refusal: Error) => refusal);
  expect(String(error)).toContain("keys/OPEN can be read by others");
  expect(String(error)).not.toContain("secret");
});
