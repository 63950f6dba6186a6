import { expect, test } from "vitest";
import { takenBy } from "./taken-by.ts";

const DATA = { kind: "data", data: {}, mediaType: "application/vnd.cleveragents.task+json" } as const;
const TEXT = { kind: "text", text: "x", filename: "a.md", mediaType: "text/plain" } as const;
const BYTES = { kind: "bytes", bytes: "AA==", filename: "a.bin" } as const;
const card = (defaultInputModes: string[], inputModes: string[] = []) =>
  ({ defaultInputModes, skills: [{ inputModes }] }) as unknown as Parameters<typeof takenBy>[0]; // nothing else is read

test.each([
  [["text/plain"], [], [TEXT]],
  [["application/json"], [], [DATA]],
  [["Application/VND.cleveragents.task+json"], [], [DATA]],
  [["text/plain"], ["application/*"], [DATA, TEXT, BYTES]],
  [["*/*"], [], [DATA, TEXT, BYTES]],
  [[], [], []],
])(
  "an agent that takes %j, and %j by a skill, is sent along what is of these types",
  (modes, more, taken) => {
    expect([DATA, TEXT, BYTES].filter(takenBy(card(modes, more)))).toEqual(taken);
  },
);
