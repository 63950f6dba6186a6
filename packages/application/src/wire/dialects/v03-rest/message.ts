import { each, inside, present } from "../json.ts";
import { member } from "./members.ts";
import { fromPart, toPart } from "./parts.ts";

/** Parts are `content` here; `parts`, as everywhere else, is read too. The words of a role are those of 1.0. */
export function fromMessage(message: unknown): unknown {
  return inside(message, (object) => {
    const parts = member(object, "content") ?? object["parts"];
    const spelling = object["content"] === undefined ? "parts" : "content";
    return present({
      messageId: member(object, "messageId"),
      contextId: member(object, "contextId"),
      taskId: member(object, "taskId"),
      role: object["role"],
      parts: each(parts, (part, index) => fromPart(part, `message.${spelling}.${index}`)),
      metadata: object["metadata"],
      extensions: object["extensions"],
    });
  });
}

export function toMessage(message: unknown): unknown {
  return inside(message, ({ messageId, contextId, taskId, role, parts, metadata, extensions }) =>
    present({ messageId, contextId, taskId, role, content: each(parts, toPart), metadata, extensions }),
  );
}
