export type JsonValue = string | number | boolean | null | JsonValue[] | { [key: string]: JsonValue };
export type JsonObject = { [key: string]: JsonValue };

interface PartFrame {
  readonly mediaType?: string;
  readonly filename?: string;
  readonly metadata?: JsonObject;
}
/** One piece of content. `bytes` are base64 as they were received; they are never decoded on the way. */
export type Part = PartFrame &
  (
    | { readonly kind: "text"; readonly text: string }
    | { readonly kind: "data"; readonly data: JsonValue }
    | { readonly kind: "bytes"; readonly bytes: string }
    | { readonly kind: "url"; readonly url: string }
  );

export interface Message {
  readonly messageId: string;
  readonly role: "user" | "agent";
  readonly parts: readonly Part[];
  readonly contextId?: string;
  readonly taskId?: string;
  readonly referenceTaskIds?: readonly string[];
  readonly extensions?: readonly string[];
  readonly metadata?: JsonObject;
}

export interface Artifact {
  readonly artifactId: string;
  readonly name?: string;
  readonly description?: string;
  readonly parts: readonly Part[];
  readonly extensions?: readonly string[];
  readonly metadata?: JsonObject;
}

/** All text parts of a message, joined by line breaks; what a person would read. */
export function textOf(message: Pick<Message, "parts">): string {
  return message.parts.flatMap((part) => (part.kind === "text" ? [part.text] : [])).join("\n");
}
