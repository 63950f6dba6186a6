import type { Measurement } from "../library/measurement.ts";

/** A row of the table: measures when it is iterated, and gives each line when it is there. */
export type Row = () => AsyncIterable<Measurement>;
