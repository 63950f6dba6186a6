import type { JsonObject } from "@cleveragents/domain";
import type { Location, LocationLink, Range } from "vscode-languageserver-protocol/node";
import { confine } from "../../tools/confine.ts";
import { readContent } from "../../tools/file-content.ts";
import type { LspSession } from "../language-server.ts";
import { TextLines } from "../positions.ts";
import type { LspCall } from "./lsp-tool.ts";

const MAX_BYTES = 8 * 1024 * 1024;
const LONGEST_LINE = 200;
/** What a model is given of a long list. */
export const SHOWN = 100;

export interface ShownRange {
  readonly line: number;
  readonly character: number;
  readonly end_line: number;
  readonly end_character: number;
}

/** Texts of the project's files as they are needed to count in them, each read once. */
export class ProjectTexts {
  readonly #sandbox: LspCall["sandbox"];
  readonly #read = new Map<string, Promise<TextLines | undefined>>();

  constructor(sandbox: LspCall["sandbox"]) {
    this.#sandbox = sandbox;
  }

  /** Undefined for what cannot be read as text. */
  async of(file: string): Promise<TextLines | undefined> {
    let reading = this.#read.get(file);
    if (reading === undefined) {
      reading = this.#load(file);
      this.#read.set(file, reading);
    }
    return await reading;
  }

  async #load(file: string): Promise<TextLines | undefined> {
    try {
      const { text } = await readContent(await confine(this.#sandbox, file, "read"), MAX_BYTES);
      return text === undefined ? undefined : new TextLines(text);
    } catch {
      return undefined;
    }
  }
}

export function rangeIn(lines: TextLines | undefined, range: Range, session: LspSession): ShownRange {
  const { encoding } = session.client;
  const plain = ({ line, character }: Range["start"]) => ({ line: line + 1, character: character + 1 });
  const start = lines?.fromPosition(range.start, encoding) ?? plain(range.start);
  const end = lines?.fromPosition(range.end, encoding) ?? plain(range.end);
  return { ...start, end_line: end.line, end_character: end.character };
}

export function lineOf(lines: TextLines | undefined, line: number): JsonObject {
  const text = lines
    ?.line(line - 1)
    .trim()
    .slice(0, LONGEST_LINE);
  return text === undefined || text === "" ? {} : { text };
}

/** Places as a model can use them, in the order of the server; how many there are of them, and so many of them. */
export async function shownLocations(
  session: LspSession,
  texts: ProjectTexts,
  found: readonly (Location | LocationLink)[],
): Promise<{ readonly locations: JsonObject[]; readonly total: number }> {
  const places = found.map((one) =>
    "targetUri" in one
      ? { uri: one.targetUri, range: one.targetSelectionRange }
      : { uri: one.uri, range: one.range },
  );
  const unique = [...new Map(places.map((place) => [JSON.stringify(place), place])).values()];
  const locations = await Promise.all(
    unique.slice(0, SHOWN).map(async ({ uri, range }) => {
      const shown = session.client.paths.shown(uri);
      const lines = shown.outside === true ? undefined : await texts.of(shown.path);
      const at = rangeIn(lines, range, session);
      return { ...shown, ...at, ...lineOf(lines, at.line) };
    }),
  );
  return { locations, total: unique.length };
}

/** Said where not everything is shown. */
export const cut = (total: number, shown: number): JsonObject => (total > shown ? { truncated: true } : {});

export function counted(count: number, what: string): string {
  return `${count} ${what}${count === 1 ? "" : "s"}`;
}
