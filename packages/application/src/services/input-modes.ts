import type { Message } from "@cleveragents/domain";
import { ProtocolError } from "@cleveragents/protocol";

/** Throws `ContentTypeNotSupported` (A2A §3.3.2) for a part whose media type is declared and not taken. */
export function checkInputModes(message: Message, modes: readonly string[] | undefined): void {
  if (modes === undefined) return;
  for (const { mediaType } of message.parts) {
    if (mediaType === undefined || modes.some((mode) => matches(mode, mediaType))) continue;
    throw new ProtocolError("ContentTypeNotSupported", {
      message: `The media type ${mediaType.slice(0, 100)} is not supported`,
      details: { mediaType: mediaType.slice(0, 100), supported: modes.join(", ") },
    });
  }
}

/** Whether a media range (`text/*`) covers a media type; parameters and case do not count (RFC 9110 §8.3.1). */
function matches(range: string, mediaType: string): boolean {
  const bare = (text: string) => text.split(";")[0]?.trim().toLowerCase() ?? "";
  const [type, subtype] = bare(range).split("/");
  const [ofType, ofSubtype] = bare(mediaType).split("/");
  return (type === "*" || type === ofType) && (subtype === "*" || subtype === ofSubtype);
}
