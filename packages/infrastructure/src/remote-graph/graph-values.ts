import type { JsonValue, Part } from "@cleveragents/domain";
import { listOf, objectOf } from "../a2a-agents/wire.ts";

/** The text of a message's content, which is one, or a list of pieces. */
export function textIn(content: unknown): string | undefined {
  if (typeof content === "string") return content;
  if (!Array.isArray(content)) return undefined;
  return content
    .map((piece) => (typeof piece === "string" ? piece : objectOf(piece)["text"]))
    .filter((text) => typeof text === "string")
    .join("");
}

/** What a graph has come to, by the key of its state. */
export function answerIn(values: Readonly<Record<string, unknown>>, key: string): readonly Part[] {
  const value = values[key];
  if (key === "messages") {
    const text = textIn(listOf(value).at(-1)?.["content"]);
    return text === undefined || text === "" ? [] : [{ kind: "text", text }];
  }
  if (typeof value === "string") return [{ kind: "text", text: value }];
  return value === undefined ? [] : [{ kind: "data", data: value as JsonValue }]; // it was read as JSON
}

/** What the first interrupt of a thread asks; undefined where none is open. */
export function questionIn(
  interrupts: unknown,
): { readonly question: string; readonly options: readonly string[] } | undefined {
  const open = Object.values(objectOf(interrupts)).flatMap((of) => listOf(of));
  const [first] = open;
  if (first === undefined) return undefined;
  const { value } = first;
  const asked = objectOf(value);
  const question =
    typeof value === "string"
      ? value
      : (["question", "message", "prompt", "text"]
          .map((key) => asked[key])
          .find((text) => typeof text === "string") ?? JSON.stringify(value ?? null));
  const options = Array.isArray(asked["options"])
    ? asked["options"].filter((one) => typeof one === "string")
    : [];
  return { question: String(question), options };
}
