// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these are the texts of documents
import { describe, expect, it } from "vitest";
import { interpolate } from "./interpolate.ts";

const env = {
  NAME: "x",
  PORT: "8080",
  YES: "true",
  VERSION: "1.10",
  ZEROS: "007",
  EMPTY: "",
  NESTED: "${NAME}",
  UNSET: undefined,
};
const value = (source: string): unknown => interpolate(source, env).value;

describe("interpolate", () => {
  it.each([
    ["nothing to do", "nothing to do"],
    ["a ${NAME} and ${NAME}", "a x and x"],
    ["${MISSING:default}", "default"],
    ["${NAME:default}", "x"],
    ["${MISSING:}", ""],
    ["${EMPTY:default}", ""],
    ["${MISSING:http://a/b}", "http://a/b"],
    ["$${NAME}", "${NAME}"],
    ["$${NAME} ${NAME}", "${NAME} x"],
    ["$NAME ${a.b} ${x%.*} ${} $", "$NAME ${a.b} ${x%.*} ${} $"],
    ["${NESTED}", "${NAME}"],
  ])("%j becomes %j", (source, expected) => {
    expect(interpolate(source, env)).toMatchObject({ value: expected, problems: [] });
  });

  it("a whole value becomes a number or a truth value", () => {
    expect(["${PORT}", "${YES}", "${MISSING:false}", "${MISSING:-1}", "${MISSING:0.5}"].map(value)).toEqual([
      8080,
      true,
      false,
      -1,
      0.5,
    ]);
  });

  it("but stays text where it is only a part, or would be written differently as a number", () => {
    expect(
      [
        "${PORT}/",
        "${VERSION}",
        "${ZEROS}",
        "${MISSING:1e3}",
        "${MISSING:Infinity}",
        "${MISSING:True}",
        "${EMPTY}",
      ].map(value),
    ).toEqual(["8080/", "1.10", "007", "1e3", "Infinity", "True", ""]);
  });

  it("a variable that is not set is a problem, with the ways out", () => {
    expect(interpolate("a ${MISSING} ${UNSET}", env).problems).toEqual([
      "the environment variable MISSING is not set: set it, write ${MISSING:default} for a default, or $${MISSING} if it is meant as it stands",
      expect.stringContaining("UNSET is not set"),
    ]);
  });

  it("what objects inherit is not a variable", () => {
    expect(interpolate("${constructor}", env).problems).toHaveLength(1);
  });

  it("a shell's default is not taken for ours", () => {
    expect(interpolate("${MISSING:-y}", env).problems).toEqual([expect.stringContaining("$${MISSING:-y}")]);
    expect(interpolate("${NAME:?must be set}", env).problems).toHaveLength(1);
  });
});
