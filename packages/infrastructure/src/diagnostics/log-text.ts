import { open } from "node:fs/promises";
import { join } from "node:path";
import { SecretRedactor, secretsOf } from "../process/secret-redactor.ts";
import { redactText } from "../telemetry/redact.ts";
import type { Environment } from "./node-host-diagnostics.ts";

const AT_MOST = 64 * 1024;

/** The end of the owner's log, in whole lines; empty where there is none. */
export async function logText(dataDir: string, env: Environment): Promise<string> {
  let text: string;
  try {
    await using file = await open(join(dataDir, "owner.log"), "r");
    const { size } = await file.stat();
    const from = Math.max(0, size - AT_MOST);
    const { buffer, bytesRead } = await file.read(Buffer.alloc(size - from), 0, size - from, from);
    text = buffer.toString("utf8", 0, bytesRead);
    // The first line was cut.
    if (from > 0) text = text.slice(text.indexOf("\n") + 1);
  } catch {
    return "";
  }
  const redactor = new SecretRedactor(secretsOf(env));
  return redactText(redactor.push(text) + redactor.end());
}
