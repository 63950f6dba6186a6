import type { DocumentProblem } from "@cleveragents/domain";
import type { z } from "zod";

/** Turns the text of a file into a checked value. */
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
  /**
   * Problems that were found in the value of a document that can be read, with the lines of the places that they name;
   * of a place that is not in the text, that of the nearest one around it.
   */
  locate(
    request: { readonly text: string; readonly wrapper: string; readonly schema: z.ZodType },
    problems: readonly DocumentProblem[],
  ): readonly DocumentProblem[];
}
