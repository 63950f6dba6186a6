import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { replaceLiterally } from "./replace-literally.ts";

const piece = fc.string({ unit: fc.constantFrom("a", "b", "$", "&", "\n", ".", "*"), maxLength: 12 });
const needle = fc.string({
  unit: fc.constantFrom("a", "b", "$", "&", "\n", ".", "*"),
  minLength: 1,
  maxLength: 3,
});

describe("replaceLiterally", () => {
  it("takes nothing for a pattern, in what is sought and in what is put", () => {
    expect(replaceLiterally("costs PRICE", "PRICE", "$& $1 $$ $`", "one")).toEqual({
      text: "costs $& $1 $$ $`",
      replacements: 1,
    });
    expect(replaceLiterally("a.c abc a.c", "a.c", "$&", "all")).toEqual({
      text: "$& abc $&",
      replacements: 2,
    });
  });

  it("`one` needs exactly one place", () => {
    expect(replaceLiterally("x y", "x", "z", "one")).toEqual({ text: "z y", replacements: 1 });
    expect(replaceLiterally("x x x", "x", "z", "one")).toEqual({ found: 3 });
    expect(replaceLiterally("y", "x", "z", "one")).toEqual({ found: 0 });
  });

  it("`one` takes overlapping places for two, since either could be meant", () => {
    expect(replaceLiterally("aaa", "aa", "b", "one")).toEqual({ found: 2 });
  });

  it("`first` changes the first only, `all` every one", () => {
    expect(replaceLiterally("x x", "x", "z", "first")).toEqual({ text: "z x", replacements: 1 });
    expect(replaceLiterally("x x", "x", "z", "all")).toEqual({ text: "z z", replacements: 2 });
  });

  it("keeps CRLF where every line ends with it, though the strings were written with LF", () => {
    expect(replaceLiterally("a\r\nb\r\nc\r\n", "a\nb", "1\n2\n3", "one")).toEqual({
      text: "1\r\n2\r\n3\r\nc\r\n",
      replacements: 1,
    });
  });

  it("leaves mixed line ends alone", () => {
    expect(replaceLiterally("a\r\nb\nc", "b\nc", "x\ny", "one")).toEqual({
      text: "a\r\nx\ny",
      replacements: 1,
    });
    expect(replaceLiterally("a\r\nb\nc", "a\nb", "x", "one")).toEqual({ found: 0 });
  });

  it("can change line ends when that is what was asked", () => {
    expect(replaceLiterally("a\r\nb\r\n", "\r\n", "\n", "all")).toEqual({ text: "a\nb\n", replacements: 2 });
  });

  it("keeps a missing last line break and a byte order mark", () => {
    expect(replaceLiterally("\uFEFFa\nb", "a", "c", "one")).toEqual({ text: "\uFEFFc\nb", replacements: 1 });
  });

  it("changes nothing outside of the places, whatever the strings are", () => {
    fc.assert(
      fc.property(piece, needle, piece, piece, (before, find, replacement, after) => {
        const text = before + find + after;
        const result = replaceLiterally(text, find, replacement, "first");
        const at = text.indexOf(find);
        expect(result).toEqual({
          text: text.substring(0, at) + replacement + text.substring(at + find.length),
          replacements: 1,
        });
      }),
    );
  });

  it("`all` undone gives the text back where the replacement is new to it", () => {
    fc.assert(
      fc.property(piece, needle, piece, (before, find, after) => {
        const there = replaceLiterally(before + find + after, find, "\u0001", "all");
        if (!("text" in there)) throw new Error("it is there");
        expect(there.text).not.toContain(find);
        expect(replaceLiterally(there.text, "\u0001", find, "all")).toEqual({
          text: before + find + after,
          replacements: there.replacements,
        });
      }),
    );
  });
});
