import type { ParamsInputOf } from "@cleveragents/protocol";
import { CliError } from "../cli-error.ts";
import { callCommand } from "../command/call-command.ts";
import type { Invocation } from "../command/command.ts";
import { readDocument as readFile } from "../command/document.ts";
import { EXIT } from "../exit-codes.ts";
import { fields } from "../output/words.ts";

type Document = ParamsInputOf<"_cleveragents/session/import">["document"];

export const command = callCommand({
  method: "_cleveragents/session/import",
  params: async (invocation) => ({
    document: await readDocument(invocation),
    actor_name: invocation.values.text("actor"),
    name: invocation.values.text("name"),
    on_conflict: invocation.values.isSet("keep-id") ? ("refuse" as const) : undefined,
  }),
  text: ({ session_id, imported_from, actor, messages, linked_plans }) =>
    fields([
      ["Session", session_id],
      [
        "Imported",
        imported_from === session_id ? undefined : `from ${imported_from}, whose id is taken here`,
      ],
      ["Actor", actor],
      ["Messages", String(messages)],
      ["Plans", linked_plans === 0 ? undefined : `${linked_plans}, as references`],
      ["Next", `agents session show ${session_id}`],
    ]),
  names: ({ session_id }) => [session_id],
});

/** As it was exported, in either form: the document alone, or the whole result. */
async function readDocument(invocation: Invocation): Promise<Document> {
  const file = invocation.values.positional("FILE");
  const text = (await readFile(invocation, file)).document;
  try {
    const read: unknown = JSON.parse(text);
    if (typeof read === "object" && read !== null && !Array.isArray(read)) {
      const inner =
        "document" in read && !("messages" in read && Array.isArray(read.messages)) ? read.document : read;
      if (typeof inner === "object" && inner !== null && !Array.isArray(inner)) return inner as Document;
    }
  } catch {
    // falls through to the one answer for what is no such file
  }
  throw new CliError("DOCUMENT_INVALID", `${file === "-" ? "stdin" : file} is no exported session`, {
    hint: "agents session export ID > FILE makes one",
    exitCode: EXIT.USAGE,
  });
}
