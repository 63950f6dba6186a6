import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { builtinPrompts, type PromptName, type Prompts } from "@cleveragents/application";

/** Longer texts leave a model no room for its work. */
const LONGEST = 32_000;

/** `prompts/<role>.md` of a folder in the place of ours, for each role that has one. */
export class FilePrompts implements Prompts {
  readonly #folder: string;

  constructor(deps: { readonly folder: string }) {
    this.#folder = join(deps.folder, "prompts");
  }

  async of(name: PromptName, compact: boolean): Promise<string> {
    const names = compact ? [`${name}.compact.md`, `${name}.md`] : [`${name}.md`];
    for (const file of names) {
      const text = await readFile(join(this.#folder, file), "utf8").catch(() => "");
      if (text.trim() !== "") return text.trim().slice(0, LONGEST);
    }
    return builtinPrompts.of(name, compact);
  }
}
