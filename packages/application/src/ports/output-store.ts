/** The output of one command, written as it comes. */
export interface OutputWriter {
  /** Takes no more once the quota or the disk is full; throws nothing. */
  write(text: string): void;
  /** Answers how many bytes there were, and how many of them, from the beginning, are kept. */
  end(): Promise<{ readonly bytes: number; readonly kept: number }>;
}

export interface KeptOutput {
  /** The artifact that holds its beginning and its end. */
  readonly artifactId: string;
  /** Bytes that are kept. */
  readonly size: number;
}

export interface OutputPage {
  readonly text: string;
  /** Where the next page begins; absent at the end of what is kept. */
  readonly next?: number;
  /** Bytes that are kept, as of now. */
  readonly size: number;
}

/**
 * Outputs of commands that are too long for a plan's log, whole. They outlive the plan's sandbox, for a time; all of them
 * together have a quota, and the oldest make room for new ones. What is written here has had its secrets taken out.
 */
export interface OutputStore {
  /** Begins anew if there is one of this name. */
  begin(planId: string, artifactId: string): OutputWriter;
  list(planId: string): Promise<readonly KeptOutput[]>;
  /** A part from an offset in bytes, whole characters, at most about `atMost` bytes. Undefined if nothing is kept. */
  read(planId: string, artifactId: string, offset: number, atMost: number): Promise<OutputPage | undefined>;
}
