import type { Asker } from "../dialect.ts";
import { inside, isAbsent, isObject, type Json, present } from "../json.ts";
import { fromMessage } from "../v03/message.ts";
import { fromFile } from "../v03/parts.ts";
import { fromSend } from "../v03/requests.ts";
import { withTaskOfContext } from "./contexts.ts";

/** A part that says its `kind` makes a message one of 0.3, to the letter. */
export function isStrictly03({ message }: Json): boolean {
  const parts = isObject(message) ? message["parts"] : undefined;
  return Array.isArray(parts) && parts.some((part) => isObject(part) && Object.hasOwn(part, "kind"));
}

/** The documents' message: the member that a part has tells what it is, as in 1.0, and its id may be missing. */
export async function fromSimpleSend(params: Json, asker: Asker): Promise<unknown> {
  const read = fromMessage(params["message"], fromSimplePart);
  if (!isObject(read)) return fromSend(params, read);
  const message = {
    ...read,
    messageId: isAbsent(read["messageId"]) ? asker.newId() : read["messageId"],
    taskId: isAbsent(read["taskId"]) ? params["taskId"] : read["taskId"],
  };
  return fromSend(params, await withTaskOfContext(present(message), asker));
}

function fromSimplePart(part: unknown, field: string): unknown {
  return inside(part, ({ file, ...rest }) =>
    isAbsent(file) ? rest : { ...rest, ...fromFile(file, `${field}.file`) },
  );
}
