import type { Message } from "@cleveragents/domain";
import { ProtocolError } from "@cleveragents/protocol";

/** What the files of one message may be; their bytes are in the task's log and are read with it. */
const MOST_FILES = 64;
const MOST_BYTES = 8 * 1024 * 1024;
const LONGEST_URL = 8192;

/** Throws `InvalidParams` naming the part for more files than a message may bring, or for larger ones. */
export function assertAttachments({ parts }: Pick<Message, "parts">): void {
  let files = 0;
  let bytes = 0;
  for (const [index, part] of parts.entries()) {
    if (part.kind !== "bytes" && part.kind !== "url") continue;
    files += 1;
    if (part.kind === "bytes") bytes += Math.floor((part.bytes.length * 3) / 4);
    else if (part.url.length > LONGEST_URL)
      throw tooMuch(index, `a URL has at most ${LONGEST_URL} characters`);
    if (files > MOST_FILES) throw tooMuch(index, `a message has at most ${MOST_FILES} files`);
    if (bytes > MOST_BYTES)
      throw tooMuch(index, `the files of a message have at most ${MOST_BYTES} bytes together; send a URL`);
  }
}

function tooMuch(index: number, description: string): ProtocolError {
  return new ProtocolError("InvalidParams", {
    violations: [{ field: `message.parts[${index}]`, description }],
  });
}
