import { expect, test } from "vitest";
import { ActionSchema } from "./action-schema.ts";
import { type ArgumentsError, bindArguments } from "./bind-arguments.ts";

const action = ActionSchema.parse({
  name: "a",
  description: "d",
  definition_of_done: "d",
  script: {},
  arguments: [
    { name: "who", required: true },
    { name: "times", type: "integer", default: 1 },
    { name: "ratio", type: "number" },
    { name: "loud", type: "boolean", default: false },
    { name: "tags", type: "list" },
    { name: "code", validation_pattern: "^[a-z]+$" },
  ],
});

function problemsOf(given: Parameters<typeof bindArguments>[1]) {
  try {
    bindArguments(action, given);
    return [];
  } catch (error) {
    return (error as ArgumentsError).problems.map((p) => p.argument);
  }
}

test("text from a command line becomes the type that the action asks for, defaults fill the rest", () => {
  expect(bindArguments(action, { who: "Ada", times: "3", ratio: "0.5", loud: "true", tags: "a, b" })).toEqual(
    {
      who: "Ada",
      times: 3,
      ratio: 0.5,
      loud: true,
      tags: ["a", "b"],
      code: null,
    },
  );
});

test("a list is items between commas, or JSON, whose items may hold commas", () => {
  const tags = (text: string) => bindArguments(action, { who: "Ada", tags: text })["tags"];
  expect(tags('["a, b","c"]')).toEqual(["a, b", "c"]);
  expect(tags("[draft], final")).toEqual(["[draft]", "final"]);
});

test("each item of a list keeps to the argument's pattern", () => {
  const argument = {
    name: "tags",
    type: "list",
    required: false,
    description: "",
    validation_pattern: "^[a-z]+$",
  };
  const tagged = { name: "a", arguments: [argument] } as Parameters<typeof bindArguments>[0];
  expect(bindArguments(tagged, { tags: "a,b" })).toEqual({ tags: ["a", "b"] });
  expect(() => bindArguments(tagged, { tags: ["a", "B"] })).toThrow("does not match");
});

test("every problem is named at once", () => {
  expect(problemsOf({ times: "many", loud: "perhaps", extra: 1, code: "ABC" })).toEqual([
    "extra",
    "who",
    "times",
    "loud",
    "code",
  ]);
});

test.each([
  { times: 1.5 },
  { times: "" },
  { times: "1e400" },
  { ratio: "Infinity" },
  { who: ["x"] },
  { tags: 5 },
])("%j does not fit", (bad) => {
  expect(problemsOf({ who: "Ada", ...bad })).toEqual([Object.keys(bad)[0]]);
});

test("a key called __proto__ is an unknown argument and nothing else", () => {
  expect(problemsOf(JSON.parse('{"who":"Ada","__proto__":{"times":5}}'))).toEqual(["__proto__"]);
});
