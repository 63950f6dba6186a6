import type { z } from "zod";

/** Turns the text of an action or actor file into a checked value. */
export interface DocumentReader {
  /**
   * Parses (YAML, of which JSON is a part), interpolates `${VAR}` and `${VAR:default}`, drops the optional
   * `cleveragents:` header and wrapper key, and checks against the schema. Throws the domain's `DocumentError` with
   * every problem, each with line and column where there is one.
   */
  read<T>(request: {
    readonly text: string;
    readonly file: string;
    readonly wrapper: string;
    readonly schema: z.ZodType<T>;
  }): T;
}
