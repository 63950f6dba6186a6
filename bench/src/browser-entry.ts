import { createClient, followTask } from "@cleveragents/protocol";
import { createHttpTransport } from "@cleveragents/transport-http/client";

// All that a page needs: what size.test.ts bundles.
export function open(url: URL) {
  const client = createClient(createHttpTransport({ url }));
  return { client, follow: followTask };
}
