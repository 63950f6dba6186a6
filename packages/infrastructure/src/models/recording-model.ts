import { appendFile } from "node:fs/promises";
import type {
  CallOptions,
  LanguageModel,
  ModelAnswer,
  ModelPiece,
  ModelRequest,
  OfferedModel,
} from "@cleveragents/application";
import { hashOf, normalised, type Recorded } from "./cassette.ts";

/** Passes on what a model says, and adds it to a cassette when it is complete. */
export class RecordingModel implements LanguageModel {
  readonly #deps: { readonly model: LanguageModel; readonly file: string };

  constructor(deps: { readonly model: LanguageModel; readonly file: string }) {
    this.#deps = deps;
  }

  async complete(model: string, request: ModelRequest, options: CallOptions): Promise<ModelAnswer> {
    const pieces: ModelPiece[] = [];
    const onPiece = (piece: ModelPiece) => {
      pieces.push(piece);
      options.onPiece?.(piece);
    };
    const answer = await this.#deps.model.complete(model, request, { ...options, onPiece });
    const asked = normalised(request);
    const line: Recorded = { hash: hashOf(model, asked), model, request: asked, pieces, answer };
    await appendFile(this.#deps.file, `${JSON.stringify(line)}\n`, { mode: 0o600 });
    return answer;
  }

  offered(signal: AbortSignal): Promise<readonly OfferedModel[]> {
    return this.#deps.model.offered(signal);
  }
}
