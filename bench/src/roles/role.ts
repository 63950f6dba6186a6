import type { Answers } from "../library/questions.ts";

/** What a child process does. `ready` is its port, or a word. */
export interface Role {
  readonly ready: string;
  readonly answers: Answers;
}
