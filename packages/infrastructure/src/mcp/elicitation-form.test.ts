import { describe, expect, test } from "vitest";
import { elicitationOf, elicitedBy, questionOf } from "./elicitation-form.ts";

const form = (properties: object, required: string[] = []) =>
  elicitationOf({ message: "Who are you?", requestedSchema: { type: "object", properties, required } });
const TWO = form({ name: { type: "string" }, age: { type: "integer", minimum: 1 } }, ["name"]);

describe("what a server wants to know becomes a question", () => {
  test("of several fields it is answered as JSON or by lines, and says so", () => {
    const asked = questionOf("local/x", "k", TWO);
    expect(asked).toMatchObject({
      freeText: true,
      options: [{ id: "decline" }],
      details: { mcp_server: "local/x" },
    });
    expect(asked.prompt).toContain("name (string)\nage (integer, optional)");
  });

  test("of one choice it has the choices", () => {
    const choice = { colour: { type: "string", enum: ["r", "g"], enumNames: ["Red", "Green"] } };
    expect(questionOf("local/x", "k", form(choice))).toMatchObject({
      freeText: false,
      options: [{ id: "r", label: "Red" }, { id: "g", label: "Green" }, { id: "decline" }],
    });
    expect(
      questionOf("local/x", "k", form({ sure: { type: "boolean" } })).options.map(({ id }) => id),
    ).toEqual(["true", "false", "decline"]);
  });

  test("an address is shown, and opened by the user alone", () => {
    const asked = questionOf(
      "local/x",
      "k",
      elicitationOf({ message: "Pay", mode: "url", url: "https://pay.example" }),
    );
    expect(asked.prompt).toContain("https://pay.example");
    expect(asked.options.map(({ id }) => id)).toEqual(["done", "decline"]);
  });
});

describe("an answer becomes what the server wants", () => {
  test.each([
    ["name=Ann\nage=3", { name: "Ann", age: 3 }],
    ['{"name":"Ann"}', { name: "Ann" }],
  ])("%j", (text, content) => {
    expect(elicitedBy({ choice: "text", text }, TWO)).toEqual({ action: "accept", content });
  });

  test.each([
    ["age=3", "name is missing"],
    ["name=Ann\nage=x", "age is to be a number"],
    ["name=Ann\nage=1.5", "age is to be a whole number"],
    ["name=Ann\nage=0", "age is to be at least 1"],
    ["{", "That is no JSON"],
    ["Ann", "That is neither"],
  ])("%j is asked again: %s", (text, wrong) => {
    expect(elicitedBy({ choice: "text", text }, TWO)).toContain(wrong);
  });

  test("of one field the text itself; a choice by its id; nothing when it is declined", () => {
    expect(elicitedBy({ choice: "text", text: "a=b" }, form({ note: { type: "string" } }))).toEqual({
      action: "accept",
      content: { note: "a=b" },
    });
    expect(elicitedBy({ choice: "false" }, form({ sure: { type: "boolean" } }))).toEqual({
      action: "accept",
      content: { sure: false },
    });
    expect(elicitedBy({ choice: "decline" }, TWO)).toEqual({ action: "decline" });
  });
});
