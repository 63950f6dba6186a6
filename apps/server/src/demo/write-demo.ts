import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Environment } from "../config.ts";
import { DEMO_ACTION, DEMO_ACTION_YAML, DEMO_DESCRIPTION, DEMO_FILES, DEMO_PROJECT } from "./demo-files.ts";
import { makeProject } from "./make-project.ts";

/** There is something else where the demo was to be written. */
export class DemoFolderTakenError extends Error {
  override readonly name = "DemoFolderTakenError";
  readonly hint = "name a folder that is not there yet: agents demo DIR";
  constructor(folder: string) {
    super(`${folder} is there already, and is no demo`);
  }
}

/** What is to be registered of the demo. */
export interface WrittenDemo {
  readonly project: { readonly name: string; readonly description: string };
  readonly action: { readonly name: string; readonly document: string };
}

/** Writes the demo's project into a folder that is empty, not there, or a demo that was begun. Throws {@link DemoFolderTakenError}. */
export async function writeDemo(folder: string, env: Environment): Promise<WrittenDemo> {
  const there = await readdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return [];
    throw new DemoFolderTakenError(folder);
  });
  const manifest = await readFile(join(folder, "package.json"), "utf8").catch(() => undefined);
  if (there.length > 0 && manifest !== DEMO_FILES["package.json"]) throw new DemoFolderTakenError(folder);
  await makeProject(folder, env);
  return {
    project: { name: DEMO_PROJECT, description: DEMO_DESCRIPTION },
    action: { name: DEMO_ACTION, document: DEMO_ACTION_YAML },
  };
}
