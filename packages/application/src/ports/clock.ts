/** Time and identity come from outside, so that tests can fix them. */
export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number;
}

export interface IdGenerator {
  /** A new ULID; ids of one generator sort in the order in which they were made. */
  next(): string;
}
