import type { DocumentReader } from "@cleveragents/application";
import { DocumentError, type DocumentProblem } from "@cleveragents/domain";
import { type Document, isMap, LineCounter, type Node, type YAMLMap } from "yaml";
import type { z } from "zod";
import {
  DocumentValue,
  type Entry,
  type InterpolatedPlace,
  keyOf,
  offsetOf,
  TooLargeError,
} from "./document-value.ts";
import { issueWords } from "./issue-words.ts";
import { parseYaml } from "./parse-yaml.ts";
import { ProblemList } from "./problem-list.ts";
import { reportIssues } from "./report-issues.ts";
import { retyped } from "./retyped.ts";
import { knownKeys } from "./schema-shape.ts";

/** Says which version of the format a file is written for; there is one so far. */
const HEADER = "cleveragents";

export interface YamlDocumentReaderDeps {
  /** What `${VAR}` may stand for. */
  readonly env: Readonly<Record<string, string | undefined>>;
}

type ReadRequest<T> = Parameters<DocumentReader["read"]>[0] & { readonly schema: z.ZodType<T> };

/** Reads YAML 1.2 (core schema), of which JSON is a part. */
export class YamlDocumentReader implements DocumentReader {
  readonly #env: YamlDocumentReaderDeps["env"];

  constructor(deps: YamlDocumentReaderDeps) {
    this.#env = deps.env;
  }

  read<T>(request: ReadRequest<T>): T {
    const lines = new LineCounter();
    const problems = new ProblemList(lines);
    const document = parseYaml(request.text, lines, problems);
    const checked = document === undefined ? undefined : this.#check(document, request, problems);
    const all = problems.all();
    if (checked === undefined || all.length > 0) throw new DocumentError(request.file, all);
    return checked.value;
  }

  locate(
    { text, wrapper, schema }: Pick<ReadRequest<unknown>, "text" | "wrapper" | "schema">,
    found: readonly DocumentProblem[],
  ): readonly DocumentProblem[] {
    const lines = new LineCounter();
    const problems = new ProblemList(lines);
    const document = parseYaml(text, lines, problems);
    if (document === undefined || document.contents === null) return found;
    try {
      bodyOf(new DocumentValue(document, this.#env, problems), document.contents, wrapper, schema, problems);
    } catch (error) {
      if (error instanceof TooLargeError) return found;
      throw error;
    }
    for (const { path, problem } of found) problems.add(path === "" ? [] : path.split("."), problem);
    return problems.all();
  }

  #check<T>(
    document: Document,
    { wrapper, schema }: ReadRequest<T>,
    problems: ProblemList,
  ): { readonly value: T } | undefined {
    if (document.contents === null) {
      problems.add([], `the file is empty; expected an ${wrapper}`.replace(/\ban (?=[^aeiou])/, "a "));
      return undefined;
    }
    const reader = new DocumentValue(document, this.#env, problems);
    try {
      const value = bodyOf(reader, document.contents, wrapper, schema, problems);
      return checkValue(value, schema, reader.interpolated, problems);
    } catch (error) {
      if (error instanceof TooLargeError) return undefined;
      throw error;
    }
  }
}

/** The body of a document, without its header and wrapper. */
function bodyOf(
  reader: DocumentValue,
  root: Node,
  wrapper: string,
  schema: z.ZodType,
  problems: ProblemList,
): unknown {
  problems.locate([], offsetOf(root) ?? 0);
  if (!isMap(root)) return reader.of(root, []);
  const entries = (root as YAMLMap<Node, Node | null>).items.filter((entry) => keyOf(entry) !== HEADER);
  const known = knownKeys(schema, []);
  // A field may have the wrapper's name; alone, and with the document's own keys below it, it is the wrapper.
  const isField = known.includes(wrapper) && !(entries.length === 1 && holdsBody(entries[0], known, wrapper));
  const wrapped = isField ? undefined : entries.find((entry) => keyOf(entry) === wrapper);
  if (wrapped === undefined) return reader.entries(entries, []);
  for (const entry of entries) if (entry !== wrapped) reportBeside(entry, wrapper, problems);
  problems.locate([], offsetOf(wrapped.key) ?? 0);
  return reader.of(wrapped.value, []);
}

function holdsBody(entry: Entry | undefined, known: readonly string[], wrapper: string): boolean {
  if (entry === undefined || keyOf(entry) !== wrapper || !isMap(entry.value)) return false;
  const below = (entry.value as YAMLMap<Node, Node | null>).items.map(keyOf);
  return below.includes("name") && known.includes("name");
}

function reportBeside(entry: Entry, wrapper: string, problems: ProblemList): void {
  const key = keyOf(entry);
  problems.add(
    [key],
    key === wrapper ? "is there twice" : `stands beside ${wrapper}; it belongs below it`,
    offsetOf(entry.key),
  );
}

function checkValue<T>(
  value: unknown,
  schema: z.ZodType<T>,
  interpolated: readonly InterpolatedPlace[],
  problems: ProblemList,
): { readonly value: T } | undefined {
  const parse = (candidate: unknown) => schema.safeParse(candidate, { error: issueWords });
  let result = parse(value);
  if (!result.success && retyped(value, result.error.issues, interpolated)) result = parse(value);
  if (result.success) return { value: result.data };
  const broken = new Set(
    interpolated.filter((place) => place.broken).map((place) => place.path.map(String).join("\0")),
  );
  reportIssues(result.error.issues, {
    schema,
    value,
    problems,
    isBroken: (path) => broken.has(path.map(String).join("\0")),
  });
  return undefined;
}
