import { compare, type Measurement } from "../library/measurement.ts";
import { median } from "../library/median.ts";
import { AGENTS, timeProgram } from "../library/programs.ts";
import { interleave } from "../library/rounds.ts";
import { scratch } from "../library/scratch.ts";

/** Starts in a round, of which the median counts. */
const STARTS = 8;

export async function* helpStartRow(): AsyncGenerator<Measurement> {
  using place = scratch();
  const starts = (...args: string[]) =>
    median(Array.from({ length: STARTS }, () => timeProgram(args, place.path)));
  const pairs = await interleave(
    "help-start",
    () => starts(AGENTS, "--help"),
    () => starts("-e", "0"),
  );
  yield compare(pairs, { name: "help-start", unit: "ms", rivalName: "node -e 0", goal: "<= 1.3" });
}
