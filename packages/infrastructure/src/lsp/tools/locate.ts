import type { Location, LocationLink } from "vscode-languageserver-protocol/node";
import { z } from "zod";
import { PLACE_ARGUMENTS, placeIn } from "./arguments.ts";
import { counted, cut, ProjectTexts, SHOWN, shownLocations } from "./locations.ts";
import { type Asked, asking, defineLspTool, onFile } from "./lsp-tool.ts";

type Found = Location | readonly (Location | LocationLink)[] | null;

export const DEFINITION: Asked = {
  capability: "definition",
  method: "textDocument/definition",
  said: "definitionProvider",
};
const REFERENCES: Asked = {
  capability: "references",
  method: "textDocument/references",
  said: "referencesProvider",
};

export const definitionTool = defineLspTool({
  name: "definition",
  aliases: ["lsp.definition"],
  description:
    "Where what stands at a place of a file is defined. `outside` means that it is no file of the project.",
  input: z.strictObject(PLACE_ARGUMENTS),
  async run(args, call) {
    return await onFile(call, args.path, DEFINITION, "definition", async (session, document) => {
      const { client } = session;
      const found = await client.ask<Found>(
        DEFINITION.method,
        {
          textDocument: { uri: document.uri },
          position: document.lines.toPosition(placeIn(document, args), client.encoding),
        },
        asking(session, call),
      );
      const { locations, total } = await shownLocations(
        session,
        new ProjectTexts(call.sandbox),
        listed(found),
      );
      const [first] = locations;
      return {
        value: { locations, total, ...cut(total, SHOWN) },
        summary:
          first === undefined ? "no definition was found" : `defined in ${first["path"]}:${first["line"]}`,
      };
    });
  },
});

export const referencesTool = defineLspTool({
  name: "references",
  aliases: ["lsp.references"],
  description: "Where what stands at a place of a file is used, in all files of the project.",
  input: z.strictObject({
    ...PLACE_ARGUMENTS,
    include_declaration: z
      .boolean()
      .default(true)
      .describe("whether the place where it is declared is one of them"),
  }),
  async run(args, call) {
    return await onFile(call, args.path, REFERENCES, "references", async (session, document) => {
      const { client } = session;
      const found = await client.ask<Location[] | null>(
        REFERENCES.method,
        {
          textDocument: { uri: document.uri },
          position: document.lines.toPosition(placeIn(document, args), client.encoding),
          context: { includeDeclaration: args.include_declaration },
        },
        asking(session, call),
      );
      const { locations, total } = await shownLocations(session, new ProjectTexts(call.sandbox), found ?? []);
      const files = new Set(locations.map(({ path }) => path)).size;
      return {
        value: { locations, total, ...cut(total, SHOWN) },
        summary: `${counted(total, "reference")} in ${counted(files, "file")}`,
      };
    });
  },
});

export function listed(found: Found): readonly (Location | LocationLink)[] {
  if (found === null) return [];
  return Array.isArray(found) ? found : [found as Location];
}
