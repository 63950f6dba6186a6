import { RemoteAgentError } from "@cleveragents/application";

/** A file as base64, by GET and without a credential. */
export async function download(
  plainFetch: typeof fetch,
  url: string,
  atMost: number,
  signal: AbortSignal,
): Promise<string> {
  const response = await plainFetch(url, { signal });
  if (!response.ok)
    throw new RemoteAgentError(
      "REMOTE_BAD_RESPONSE",
      `a file that it names cannot be had (${response.status})`,
    );
  const pieces: Uint8Array[] = [];
  let size = 0;
  for await (const piece of response.body ?? []) {
    size += piece.length;
    if (size > atMost)
      throw new RemoteAgentError(
        "REMOTE_TOO_LARGE",
        "its files have more bytes than are taken (limits.file_bytes)",
      );
    pieces.push(piece);
  }
  return Buffer.concat(pieces).toString("base64");
}
