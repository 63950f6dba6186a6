import type { Clock } from "@cleveragents/application";

/** The clock of this machine. It may be set back. */
export class SystemClock implements Clock {
  now(): number {
    return Date.now();
  }
}
