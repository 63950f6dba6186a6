import type { SignatureHelp, SignatureInformation } from "vscode-languageserver-protocol/node";
import { z } from "zod";
import { PLACE_ARGUMENTS, placeIn } from "./arguments.ts";
import { type Asked, asking, defineLspTool, onFile } from "./lsp-tool.ts";

const SIGNATURE: Asked = {
  capability: "signature",
  method: "textDocument/signatureHelp",
  said: "signatureHelpProvider",
};
const LONGEST = 1000;

export const signatureTool = defineLspTool({
  name: "signature",
  aliases: ["lsp.signature_help", "lsp/signature_help"],
  description:
    "Which arguments the function takes whose call stands at a place of a file: a place between its brackets.",
  input: z.strictObject(PLACE_ARGUMENTS),
  async run(args, call) {
    return await onFile(call, args.path, SIGNATURE, "signature", async (session, document) => {
      const { client } = session;
      const help = await client.ask<SignatureHelp | null>(
        SIGNATURE.method,
        {
          textDocument: { uri: document.uri },
          position: document.lines.toPosition(placeIn(document, args), client.encoding),
        },
        asking(session, call),
      );
      const signatures = (help?.signatures ?? []).slice(0, 20).map((one) => ({
        label: one.label,
        parameters: (one.parameters ?? []).map(({ label }) =>
          typeof label === "string" ? label : one.label.slice(label[0], label[1]),
        ),
        ...documented(one),
      }));
      const active = help?.activeSignature ?? 0;
      const parameter = help?.signatures[active]?.activeParameter ?? help?.activeParameter;
      return {
        value: {
          signatures,
          ...(signatures.length === 0 ? {} : { active_signature: active }),
          ...(typeof parameter === "number" ? { active_parameter: parameter } : {}),
        },
        summary: signatures[active]?.label ?? signatures[0]?.label ?? "no call stands there",
      };
    });
  },
});

function documented({ documentation }: SignatureInformation): { documentation?: string } {
  const text = typeof documentation === "string" ? documentation : documentation?.value;
  return text === undefined || text === "" ? {} : { documentation: text.slice(0, LONGEST) };
}
