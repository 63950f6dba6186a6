import type { Client } from "pg";

const POLITE_MS = 1000;

/** Ends a connection, politely if its server still listens, and never fails. */
export async function endQuietly(client: Client): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, POLITE_MS);
  });
  await Promise.race([client.end().catch(() => undefined), late]);
  clearTimeout(timer);
}
