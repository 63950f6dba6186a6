import type { ModelAnswer, ModelPiece, ModelStop, ModelToolCall } from "@cleveragents/application";
import type { TokenUsage } from "@cleveragents/domain";

interface OpenCall {
  readonly key: string;
  id: string | undefined;
  name: string;
  arguments: string;
}

/** What one piece of a call says: servers leave out what they have said, and sometimes what they have not. */
export interface CallDelta {
  readonly index?: number | undefined;
  readonly id?: string | undefined;
  readonly name?: string | undefined;
  readonly arguments?: string | undefined;
}

/** Puts an answer together from its pieces, and passes them on. */
export class AnswerBuilder {
  usage: TokenUsage | undefined;
  stop: ModelStop | undefined;
  /** Something has come of which somebody was told. */
  begun = false;
  readonly #onPiece: ((piece: ModelPiece) => void) | undefined;
  readonly #calls: OpenCall[] = [];
  #text = "";
  #reasoning = "";

  constructor(onPiece: ((piece: ModelPiece) => void) | undefined) {
    this.#onPiece = onPiece;
  }

  text(text: string): void {
    if (text === "") return;
    this.#text += text;
    this.#tell({ kind: "text", text });
  }

  reasoning(text: string): void {
    if (text === "") return;
    this.#reasoning += text;
    this.#tell({ kind: "reasoning", text });
  }

  /**
   * A piece of a call. One with a new id is a new call, whatever its index, since some number every call 0; one
   * without index and id goes on with the last.
   */
  call({ index, id, name, arguments: text = "" }: CallDelta): void {
    const open = this.#openCall(index, id, name);
    if (open.id === undefined && id !== undefined && id !== "") open.id = id;
    if (open.name === "" && name !== undefined) {
      open.name = name;
      this.#tell({ kind: "tool-call", name });
    }
    open.arguments += text;
  }

  answer(): ModelAnswer {
    const toolCalls = this.#calls.map(
      (call, n): ModelToolCall => ({
        id: call.id ?? `call_${n + 1}`,
        name: call.name,
        arguments: call.arguments.trim() === "" ? "{}" : call.arguments,
      }),
    );
    const stop = this.stop ?? "end";
    return {
      text: this.#text,
      ...(this.#reasoning === "" ? {} : { reasoning: this.#reasoning }),
      toolCalls,
      // Some say "stop" after a call, and some "tool_calls" after none.
      stop: stop === "length" || stop === "refused" ? stop : toolCalls.length > 0 ? "tool-calls" : "end",
      ...(this.usage === undefined ? {} : { usage: this.usage }),
    };
  }

  #openCall(index: number | undefined, id: string | undefined, name: string | undefined): OpenCall {
    const last = this.#calls.at(-1);
    const named = id === undefined || id === "" ? undefined : this.#calls.find((call) => call.id === id);
    if (named !== undefined) return named;
    const at = index === undefined ? last : this.#calls.findLast(({ key }) => key === String(index));
    const another =
      at === undefined ||
      (id !== undefined && id !== "" && at.id !== undefined) ||
      (index === undefined && name !== undefined && name !== "" && at.name !== "");
    if (!another) return at;
    const call: OpenCall = {
      key: String(index ?? `n${this.#calls.length}`),
      id: undefined,
      name: "",
      arguments: "",
    };
    this.#calls.push(call);
    return call;
  }

  #tell(piece: ModelPiece): void {
    this.begun = true;
    this.#onPiece?.(piece);
  }
}
