import { describe, expect, test } from "vitest";
import { A2aActorSchema } from "./a2a-actor-schema.ts";
import { RemoteGraphActorSchema } from "./remote-graph-actor-schema.ts";
import { ToolActorSchema, toolScript } from "./tool-actor-schema.ts";

const named = { name: "helper", description: "x" };
const agent = { ...named, type: "a2a", card: "https://agents.example" };
const graph = { ...named, type: "remote_graph", url: "https://graphs.example", graph_id: "asker" };

function problemOf(schema: typeof A2aActorSchema | typeof RemoteGraphActorSchema, document: object): string {
  const { error } = schema.safeParse(document);
  return error?.issues.map(({ path, message }) => `${path.join(".")}: ${message}`).join("; ") ?? "";
}

describe("an actor that works elsewhere", () => {
  test("needs no more than where it is", () => {
    expect(A2aActorSchema.parse(agent)).toMatchObject({
      limits: { answer: 3600, silence: 120, files: 50, file_bytes: 2_097_152 },
      named_artifacts_are_files: false,
    });
    expect(RemoteGraphActorSchema.parse(graph)).toMatchObject({
      input_key: "messages",
      output_key: "messages",
    });
  });

  test.each([
    ["ftp://agents.example", "begins with http"],
    ["agents.example", "begins with http"],
    ["https://", "begins with http"],
    ["https://me:secret@agents.example", "without a user or a password"],
    ["https://agents.example/a b", "without blanks"],
    ["https://agents.example/#x", "without blanks and without a #"],
  ])("has an address of the web, which %j is not, and it is not repeated", (card, why) => {
    const problem = problemOf(A2aActorSchema, { ...agent, card });
    expect(problem).toContain(why);
    expect(problem).not.toContain("secret");
  });

  test.each([
    [{}, "either"],
    [{ env: "A", file: "a" }, "either"],
    [{ env: "a b" }, "name of a variable"],
    [{ file: "../a" }, "without a path"],
    [{ env: "A", header: "x y" }, "name of a header"],
    [{ env: "A", token: "sk-1" }, "token"],
  ])("refers to its credential, and %j is no reference", (credential, why) => {
    expect(problemOf(RemoteGraphActorSchema, { ...graph, credential })).toContain(why);
  });

  test("that is written with a key that nobody knows is refused", () => {
    expect(problemOf(A2aActorSchema, { ...agent, url: "https://x.example" })).toContain("url");
  });
});

test("a tool actor is a script of one call, whose result has a name", () => {
  const actor = ToolActorSchema.parse({
    ...named,
    type: "tool",
    tool: "builtin/read_file",
    arguments: { path: "{{ args.file }}" },
  });
  expect(toolScript(actor)).toEqual({
    decisions: [],
    steps: [
      {
        kind: "call",
        name: "result",
        value: { tool: "builtin/read_file", arguments: { path: "{{ args.file }}" } },
      },
    ],
    // Where it looks on, that is its opinion.
    answer: "{{ results.result }}",
  });
});
