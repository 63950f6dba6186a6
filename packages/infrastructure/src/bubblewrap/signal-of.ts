import { constants } from "node:os";
import type { Ended } from "../process/command-launcher.ts";

/** Of a command that we have ended: what shells tell as 128 and the number of the signal, as the signal. */
export function signalOf(exitCode: number | null): Ended {
  const found = Object.entries(constants.signals).find(([, number]) => exitCode === 128 + number);
  return found === undefined ? { exitCode, signal: null } : { exitCode: null, signal: found[0] };
}
