import { readFile } from "node:fs/promises";
import {
  type CallOptions,
  type LanguageModel,
  type ModelAnswer,
  ModelError,
  type ModelRequest,
  type OfferedModel,
} from "@cleveragents/application";
import { differences, hashOf, normalised, type Recorded } from "./cassette.ts";

export interface ReplayingModelDeps {
  readonly provider: string;
  readonly file: string;
}

/**
 * Answers as a cassette has it, to the very same requests and to no others. What was asked several times is answered in
 * the order in which it was recorded, and after that as the last time.
 */
export class ReplayingModel implements LanguageModel {
  readonly #deps: ReplayingModelDeps;
  readonly #answered = new Map<string, number>();
  #lines: Promise<readonly Recorded[]> | undefined;

  constructor(deps: ReplayingModelDeps) {
    this.#deps = deps;
  }

  async complete(
    model: string,
    request: ModelRequest,
    { signal, onPiece }: CallOptions,
  ): Promise<ModelAnswer> {
    const lines = await this.#read();
    const asked = normalised(request);
    const hash = hashOf(model, asked);
    const matching = lines.filter((line) => line.hash === hash);
    const times = this.#answered.get(hash) ?? 0;
    const found = matching[Math.min(times, matching.length - 1)];
    if (found === undefined) throw this.#unlike(lines, model, asked);
    this.#answered.set(hash, times + 1);
    for (const piece of found.pieces) {
      signal.throwIfAborted();
      onPiece?.(piece);
    }
    return found.answer;
  }

  async offered(): Promise<readonly OfferedModel[]> {
    const names = new Set((await this.#read()).map(({ model }) => model));
    return [...names].map((name) => ({ name }));
  }

  async #read(): Promise<readonly Recorded[]> {
    this.#lines ??= readCassette(this.#deps);
    return this.#lines;
  }

  #unlike(lines: readonly Recorded[], model: string, asked: Recorded["request"]): ModelError {
    const of = (line: Recorded) =>
      differences({ model: line.model, request: line.request }, { model, request: asked }, "");
    const [nearest] = lines.map(of).sort((a, b) => a.length - b.length);
    const words =
      nearest === undefined
        ? "the cassette is empty"
        : `the nearest that was recorded differs in ${nearest
            .slice(0, 5)
            .map((line) => line.replace(/^\./, ""))
            .join("; ")}${nearest.length > 5 ? ` and ${nearest.length - 5} more places` : ""}`;
    return new ModelError(
      "MODEL_BAD_REQUEST",
      `${this.#deps.provider} has no answer to this request: ${words}`,
    );
  }
}

async function readCassette({ provider, file }: ReplayingModelDeps): Promise<readonly Recorded[]> {
  let text: string;
  try {
    text = await readFile(file, "utf8");
  } catch (cause) {
    throw new ModelError("MODEL_NOT_CONFIGURED", `the cassette of ${provider} cannot be read`, { cause });
  }
  return text.split("\n").flatMap((line, n): Recorded[] => {
    if (line.trim() === "") return [];
    try {
      const parsed = JSON.parse(line) as Recorded;
      // As the request says, and not the line: nobody is to be answered by a hash that was written by hand.
      return [{ ...parsed, hash: hashOf(parsed.model, parsed.request) }];
    } catch (cause) {
      throw new ModelError(
        "MODEL_NOT_CONFIGURED",
        `line ${n + 1} of the cassette of ${provider} is not JSON`,
        { cause },
      );
    }
  });
}
