import type { Hover, MarkedString, MarkupContent } from "vscode-languageserver-protocol/node";
import { z } from "zod";
import { PLACE_ARGUMENTS, placeIn } from "./arguments.ts";
import { rangeIn } from "./locations.ts";
import { type Asked, asking, defineLspTool, onFile } from "./lsp-tool.ts";

const LONGEST = 4000;
export const HOVER: Asked = { capability: "hover", method: "textDocument/hover", said: "hoverProvider" };

export const hoverTool = defineLspTool({
  name: "hover",
  aliases: ["lsp.hover"],
  description: "Type and documentation of what stands at a place of a file.",
  input: z.strictObject(PLACE_ARGUMENTS),
  async run(args, call) {
    return await onFile(call, args.path, HOVER, "hover", async (session, document) => {
      const at = placeIn(document, args);
      const { client } = session;
      const hover = await client.ask<Hover | null>(
        HOVER.method,
        {
          textDocument: { uri: document.uri },
          position: document.lines.toPosition(at, client.encoding),
        },
        asking(session, call),
      );
      const contents = client.paths.clean(hover === null ? "" : textOf(hover.contents)).slice(0, LONGEST);
      const range =
        hover?.range === undefined ? {} : { range: { ...rangeIn(document.lines, hover.range, session) } };
      return {
        value: { path: document.file, ...at, contents, ...range },
        summary: contents === "" ? "nothing is known of that place" : firstLine(contents),
      };
    });
  },
});

export function textOf(contents: Hover["contents"]): string {
  const all = Array.isArray(contents) ? contents : [contents];
  return all
    .map((one: MarkupContent | MarkedString) => (typeof one === "string" ? one : one.value))
    .join("\n\n")
    .trim();
}

/** Without the fence around it. */
export function firstLine(text: string): string {
  const line = text.split("\n").find((one) => one.trim() !== "" && !one.startsWith("```")) ?? "";
  return line.trim().slice(0, 120);
}
