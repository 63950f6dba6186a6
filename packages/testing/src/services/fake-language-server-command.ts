import path from "node:path";
import { fileURLToPath } from "node:url";

/** What starts the language server for tests, with the ways in which it is to be good or bad. */
export function fakeLanguageServer(...modes: readonly string[]): {
  readonly command: string;
  readonly args: readonly string[];
} {
  const here = fileURLToPath(import.meta.url);
  const program = path.join(path.dirname(here), `fake-language-server${path.extname(here)}`);
  return { command: process.execPath, args: [program, ...modes] };
}
