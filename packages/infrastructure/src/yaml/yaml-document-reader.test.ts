// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these are the texts of documents
import { ActionSchema, DocumentError, type DocumentProblem } from "@cleveragents/domain";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { YamlDocumentReader } from "./yaml-document-reader.ts";

const reader = new YamlDocumentReader({
  env: { TITLE: "from outside", SECONDS: "5", VERSION: "2", RATIO: "1.0" },
});

function read<T>(text: string, schema: z.ZodType<T>): T {
  return reader.read({ text, file: "a.yaml", wrapper: "action", schema });
}
function problems(text: string, schema: z.ZodType = ActionSchema): readonly DocumentProblem[] {
  try {
    read(text, schema);
  } catch (error) {
    if (error instanceof DocumentError) return error.problems;
    throw error;
  }
  throw new Error("it was read");
}
const lines = (text: string, schema?: z.ZodType): string[] =>
  problems(text, schema).map(({ line, path, problem }) => `${line} ${path}: ${problem}`);

const Anything = z.any();
const MINIMAL = "name: local/x\ndescription: d\ndefinition_of_done: d\nscript: {}\n";

describe("YamlDocumentReader: what it reads", () => {
  it("an action, with the defaults of its schema", () => {
    expect(read(MINIMAL, ActionSchema)).toMatchObject({
      name: "local/x",
      reusable: true,
      script: { decisions: [], steps: [] },
    });
  });

  it("JSON, indented by tabs too", () => {
    expect(read('{\n\t"name": "x",\n\t"list": [1, true, null]\n}', Anything)).toEqual({
      name: "x",
      list: [1, true, null],
    });
  });

  it("a file with header, with wrapper, with both and with neither, all the same", () => {
    const body = { name: "x", tags: ["a"] };
    const header = 'cleveragents:\n  version: "3.0"\n';
    const wrapped = "action:\n  name: x\n  tags: [a]\n";
    const flat = "name: x\ntags: [a]\n";
    for (const text of [flat, wrapped, header + flat, header + wrapped])
      expect(read(text, Anything)).toEqual(body);
  });

  it("a wrapper's name where the schema itself has such a key", () => {
    expect(read("action: open\n", z.strictObject({ action: z.string() }))).toEqual({ action: "open" });
  });

  it("yes and no as text, whatever version a file claims", () => {
    expect(read("%YAML 1.1\n---\na: yes\nb: no\n", Anything)).toEqual({ a: "yes", b: "no" });
  });

  it("anchors and aliases", () => {
    expect(read("a: &x {k: 1}\nb: *x\n", Anything)).toEqual({ a: { k: 1 }, b: { k: 1 } });
  });

  it("block texts exactly, with CRLF line ends in the file", () => {
    expect(read("a: |\r\n  one\r\n  two\r\n", Anything)).toEqual({ a: "one\ntwo\n" });
  });
});

describe("YamlDocumentReader: environment variables", () => {
  it("are put into values, in texts of every style, and not into keys", () => {
    expect(
      read('${TITLE}: ${TITLE}\nb: "${TITLE}!"\nc: |\n  ${TITLE}\nd: ["$${TITLE}"]\n', Anything),
    ).toEqual({
      "${TITLE}": "from outside",
      b: "from outside!",
      c: "from outside\n",
      d: ["${TITLE}"],
    });
  });

  it("become numbers and truth values where they are the whole value", () => {
    expect(read('a: ${SECONDS}\nb: "${SECONDS}"\nc: ${MISSING:true}\n', Anything)).toEqual({
      a: 5,
      b: 5,
      c: true,
    });
  });

  it("are read the other way where the schema wants that", () => {
    const schema = z.strictObject({
      version: z.string(),
      ratio: z.number(),
      steps: z.array(z.strictObject({ tag: z.string() })),
    });
    expect(read("version: ${VERSION}\nratio: ${RATIO}\nsteps: [{tag: '${VERSION}'}]\n", schema)).toEqual({
      version: "2",
      ratio: 1,
      steps: [{ tag: "2" }],
    });
  });

  it("a missing one is the only thing said about its place", () => {
    expect(
      lines("name: x\nseconds: ${MISSING}\n", z.strictObject({ name: z.string(), seconds: z.number() })),
    ).toEqual([expect.stringMatching(/^2 seconds: the environment variable MISSING is not set/)]);
  });
});

describe("YamlDocumentReader: problems of the schema", () => {
  it("are all reported at once, with line and column, in the order of the file", () => {
    const text = `name: 9bad
descripton: typo
definition_of_done: ok
script:
  steps:
    - write:
        path: ""
        content: 5
    - run: {command: [a, 5], timeout: -1, expect: some}
    - run:
        command: {a: 1}
    - edit: {path: a, find: b, replace: c, occurrences: al}
    - read:
    - wirte: {}
`;
    expect(lines(text)).toEqual([
      "1 description: is missing; expected text",
      '1 name: "9bad" is not a name: each part begins with a letter and holds letters, digits, - and _ only',
      '2 descripton: unknown key "descripton"; did you mean "description"?',
      "7 script.steps.0.write.path: must not be empty",
      "8 script.steps.0.write.content: expected text, found the number 5",
      "9 script.steps.1.run.command.1: expected text, found the number 5",
      "9 script.steps.1.run.timeout: must be more than 0",
      '9 script.steps.1.run.expect: expected "any" or a list of numbers, found the text "some"',
      "11 script.steps.2.run.command: expected text or a list of texts, found a map",
      '12 script.steps.3.edit.occurrences: expected "one", "first" or "all", found the text "al"; did you mean "all"?',
      "13 script.steps.4.read: has no value; expected a map",
      '14 script.steps.5.wirte: unknown key "wirte"; did you mean "write"?',
      expect.stringMatching(/^14 script\.steps\.5: a step has exactly one of read, write,/),
    ]);
  });

  it("point at the value, at the key where the value is below it, and at the key that is unknown", () => {
    const schema = z.strictObject({ a: z.string(), b: z.string() });
    expect(problems("a:   5\nb:\n  - 1\nzzz:    1\n", schema)).toEqual([
      { path: "a", problem: "expected text, found the number 5", line: 1, column: 6 },
      { path: "b", problem: "expected text, found a list", line: 2, column: 1 },
      { path: "zzz", problem: 'unknown key "zzz"; known are a, b', line: 4, column: 1 },
    ]);
  });

  it("a missing key is reported where its map begins", () => {
    const schema = z.strictObject({
      list: z.array(z.strictObject({ id: z.string() })),
      map: z.strictObject({ id: z.string() }),
    });
    expect(lines("list:\n  - id: a\n  - {}\nmap:\n  {}\n", schema)).toEqual([
      "3 list.1.id: is missing; expected text",
      "4 map.id: is missing; expected text",
    ]);
  });

  it("keep the schema's own words, and paths without the wrapper", () => {
    expect(
      lines("cleveragents: {version: 1}\naction:\n  name: x\n  description: d\n  definition_of_done: d\n"),
    ).toEqual(["2 : an action needs `execution_actor` (and `strategy_actor`), or a `script` of its own"]);
  });

  it("what stands beside the wrapper is out of place", () => {
    expect(lines("action: {}\nother: 1\n", Anything)).toEqual([
      "2 other: stands beside action; it belongs below it",
    ]);
  });

  it("an empty wrapper, a list and a text are no action", () => {
    expect(lines("action:\n")).toEqual(["1 : has no value; expected a map"]);
    expect(lines("- a\n")).toEqual(["1 : expected a map, found a list"]);
    expect(lines("just text\n")).toEqual(['1 : expected a map, found the text "just text"']);
  });

  it("sizes, forms and choices are said in words", () => {
    const schema = z.strictObject({
      list: z.array(z.string()).min(1),
      number: z.number().max(3),
      whole: z.int(),
      kind: z.literal("script"),
      code: z.string().regex(/^a+$/),
      pick: z.union([z.boolean(), z.array(z.string())]),
      map: z.record(z.string(), z.string()),
    });
    expect(
      lines("list: []\nnumber: 4\nwhole: 1.5\nkind: llm\ncode: b\npick: 1\nmap: {a: 1}\n", schema),
    ).toEqual([
      "1 list: needs at least one entry",
      "2 number: must be at most 3",
      "3 whole: expected a whole number, found the number 1.5",
      '4 kind: expected "script", found the text "llm"',
      "5 code: has the wrong form: it must match /^a+$/",
      "6 pick: expected true or false or a list of texts, found the number 1",
      "7 map.a: expected text, found the number 1",
    ]);
  });

  it("a long value is not repeated whole", () => {
    const [problem] = problems(`a: ${"x".repeat(1000)}\n`, z.strictObject({ a: z.number() }));
    expect(problem?.problem.length).toBeLessThan(100);
  });
});

describe("YamlDocumentReader: problems of the syntax", () => {
  it.each([
    ["an empty file", "", [" : the file is empty; expected an action"]],
    ["only comments", "# nothing\n", [" : the file is empty; expected an action"]],
    ["a tab as indentation", "a:\n\tb: 1\n", ["2 : a tab where only spaces may indent"]],
    [
      "a second document",
      "a: 1\n---\nb: 2\n",
      ["2 : a second document begins here: a file holds one, so `---` can only be at its beginning"],
    ],
    ["a key twice", "a: 1\nb: 2\na: 3\n", ["3 a: is there twice, first in line 1"]],
    ["a key that is a list", "? [a]\n: b\n", ["1 : a key must be plain text"]],
    ["a key that means something to JavaScript", "__proto__: {a: 1}\n", ["1 __proto__: cannot be a key"]],
    [
      "tags of every kind",
      "a: !!js/function x\nb: !!binary aGk=\nc: !mine {}\n",
      [
        "1 : tags (`!…`) are not allowed",
        "2 : tags (`!…`) are not allowed",
        "3 : tags (`!…`) are not allowed",
      ],
    ],
    ["an alias without an anchor", "a: *nope\n", ["1 a: there is no anchor &nope above this alias"]],
    [
      "an alias of what it is in",
      "a: &a [1, *a]\n",
      ["1 a.1: an alias stands for something that it is a part of"],
    ],
    ["nesting without end", "[".repeat(20_000), ["1 : the file is nested too deeply"]],
    [
      "nesting deeper than we follow",
      `${"[".repeat(200)}${"]".repeat(200)}`,
      [expect.stringMatching(/nested more than 100 levels deep$/)],
    ],
    ["a file without end", "a".repeat(2_000_000), [expect.stringMatching(/the file is larger than/)]],
  ])("%s", (_, text, expected) => {
    expect(lines(text, Anything).map((line) => line.replace(/^undefined /, " "))).toEqual(expected);
  });

  it("aliases that multiply are stopped early", () => {
    const levels = ["a: &l0 [x, x, x, x, x, x, x, x, x, x]"];
    for (let i = 1; i < 10; i += 1)
      levels.push(
        `l${i}: &l${i} [${Array(10)
          .fill(`*l${i - 1}`)
          .join(", ")}]`,
      );
    const before = performance.now();
    expect(lines(levels.join("\n"), Anything)).toEqual([
      expect.stringMatching(/too large when its aliases are written out/),
    ]);
    expect(performance.now() - before).toBeLessThan(10_000);
  });

  it("a duplicate key hides none of the problems that follow", () => {
    expect(lines("name: x\nname: y\n")).toEqual(
      expect.arrayContaining([
        "2 name: is there twice, first in line 1",
        "1 description: is missing; expected text",
      ]),
    );
  });

  it("the error names file and line, one problem a line", () => {
    expect(() => read("name: [\n", ActionSchema)).toThrow(/^a\.yaml:\d+: not valid YAML: /);
  });
});

describe("YamlDocumentReader: problems that others find", () => {
  it("are told with the line of their place, or of the nearest one around it", () => {
    const text = "action:\n  name: local/x\n  description: d\n  validations:\n    - local/a\n    - local/b\n";
    const found = [
      { path: "validations.1", problem: "is not there" },
      { path: "validations.1.deeper", problem: "neither" },
      { path: "gone", problem: "nowhere" },
    ];
    expect(reader.locate({ text, wrapper: "action", schema: ActionSchema }, found)).toEqual([
      { path: "gone", problem: "nowhere", line: 1, column: 1 },
      { path: "validations.1", problem: "is not there", line: 6, column: 7 },
      { path: "validations.1.deeper", problem: "neither", line: 6, column: 7 },
    ]);
  });
});
