import type { Logger } from "@cleveragents/application";
import { type DestinationStream, destination as fileDestination, pino, stdTimeFunctions } from "pino";
import { createRedaction, redactText } from "./redact.ts";

export interface PinoLoggerOptions {
  readonly level: "debug" | "info" | "warn" | "error" | "silent";
  /** A file descriptor or a stream; standard error where standard output carries the protocol. */
  readonly destination: number | DestinationStream;
  /** Names of further fields whose values are not written, beside those of credentials. */
  readonly redact?: readonly string[];
}

/**
 * One JSON object a line: `level` as a word, `time` as ISO 8601, `msg`, and the fields. Written at once, so that
 * nothing is lost when the process ends. Fields of credentials are left out at every depth.
 */
export function createPinoLogger({ level, destination, redact }: PinoLoggerOptions): Logger {
  const redaction = createRedaction(redact);
  const log = pino(
    {
      level,
      base: null, // process id and host are for whoever collects the lines
      timestamp: stdTimeFunctions.isoTime,
      serializers: { err: (error: unknown) => error }, // pino's own would join messages; ours is done already
      formatters: { level: (label) => ({ level: label }) },
    },
    typeof destination === "number" ? file(destination) : destination,
  );
  const write =
    (name: Exclude<PinoLoggerOptions["level"], "silent">) =>
    (fields: Record<string, unknown>, message: string): void => {
      if (log.isLevelEnabled(name)) log[name](redaction(fields), redactText(message));
    };
  return { debug: write("debug"), info: write("info"), warn: write("warn"), error: write("error") };
}

/** What is kept for a file that takes nothing just now, in characters; newer lines are dropped. */
const KEPT = 1024 * 1024;

/** A log that cannot be written (a full disk, a reader that is gone) is no reason for whatever was about to be logged to fail. */
function file(fd: number): DestinationStream {
  const stream = fileDestination({ fd, sync: true, maxLength: KEPT });
  stream.on("error", () => undefined);
  return stream;
}
