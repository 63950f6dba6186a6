import { each, inside, inverse, isAbsent, misspelt, present, wordOf } from "../json.ts";
import { fromPart, toPart } from "./parts.ts";

const ROLES = { user: "ROLE_USER", agent: "ROLE_AGENT" } as const;
const ROLE_WORDS: Readonly<Record<string, string>> = inverse(ROLES);

/** A 0.3 message as a 1.0 message; `part` reads its parts. Members that 0.3 does not have are not taken over. */
export function fromMessage(message: unknown, part = fromPart): unknown {
  return inside(message, (object) => {
    const { kind, messageId, contextId, taskId, role, parts, metadata, extensions, referenceTaskIds } =
      object;
    if (!isAbsent(kind) && kind !== "message") throw misspelt("message.kind", 'must be "message"');
    return present({
      messageId,
      contextId,
      taskId,
      role: wordOf(ROLES, role, "message.role"),
      parts: each(parts, (element, index) => part(element, `message.parts.${index}`)),
      metadata,
      extensions,
      referenceTaskIds,
    });
  });
}

export function toMessage(message: unknown): unknown {
  return inside(message, (object) => {
    const { messageId, contextId, taskId, role, parts, metadata, extensions, referenceTaskIds } = object;
    return present({
      kind: "message",
      messageId,
      contextId,
      taskId,
      role: ROLE_WORDS[role as string],
      parts: each(parts, toPart),
      metadata,
      extensions,
      referenceTaskIds,
    });
  });
}
