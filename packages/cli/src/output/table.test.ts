import { expect, test } from "vitest";
import { COLOURED, PLAIN } from "./paint.ts";
import { table } from "./table.ts";

const SGR = /\p{Cc}\[\d+m/gu;
const ROWS = [
  {
    id: "Y0Z1A2B",
    action: "local/refactor-the-whole-authentication-module",
    text: "a description that goes on and on and on and on",
    n: "3m",
  },
  { id: "Y0Z1A2C", action: "local/bump", text: "kurz\nzweite Zeile", n: "41s" },
  { id: "Y0Z1A2D", action: "漢字", text: "", n: "5h" },
];
const COLUMNS = [
  { head: "ID", cell: (row: (typeof ROWS)[0]) => row.id },
  { head: "ACTION", cell: (row: (typeof ROWS)[0]) => row.action, shrinkTo: 10 },
  { head: "TEXT", cell: (row: (typeof ROWS)[0]) => row.text, shrinkTo: 12 },
  { head: "NONE", cell: () => "" },
  { head: "AGE", cell: (row: (typeof ROWS)[0]) => row.n, align: "right" as const },
];
const at = (columns: number | undefined) => table(ROWS, COLUMNS, { paint: PLAIN, columns, now: 0 });

test("a table fits 80 columns by cutting its widest cells; an empty column is left out", () => {
  expect(at(80)).toBe(
    [
      "ID       ACTION                            TEXT                              AGE",
      "Y0Z1A2B  local/refactor-the-whole-authen…  a description that goes on and …   3m",
      "Y0Z1A2C  local/bump                        kurz zweite Zeile                 41s",
      "Y0Z1A2D  漢字                                                                 5h",
    ].join("\n"),
  );
});

test("a table that fits 120 columns is not cut", () => {
  expect(at(120)).toBe(at(undefined));
  expect(at(120)).not.toContain("…");
});

test("the first column is whole on the narrowest terminal", () => {
  expect(at(20).split("\n")[1]).toBe("Y0Z1A2B  local…  a des…   3m");
});

test("colour adds codes and changes nothing else", () => {
  const coloured = table(ROWS, COLUMNS, { paint: COLOURED, columns: 80, now: 0 });
  expect(coloured).not.toBe(at(80));
  expect(coloured.replaceAll(SGR, "")).toBe(at(80));
});

test("a cell that is to be read whole goes on in the next line", () => {
  const columns = [
    { head: "KEY", cell: (row: { key: string }) => row.key },
    { head: "WHAT", cell: (row: { what: string }) => row.what, shrinkTo: 10, wrap: true as const },
  ];
  const rows = [
    { key: "a", what: "a long text that is needed" },
    { key: "b", what: "short" },
  ];
  expect(table(rows, columns, { paint: PLAIN, columns: 20, now: 0 })).toBe(
    ["KEY  WHAT", "a    a long text", "     that is needed", "b    short"].join("\n"),
  );
});

test("where nothing else can be cut, everything but the first column is", () => {
  const column = (head: string) => ({ head, cell: () => head.repeat(4) });
  const text = table([0], ["ABCD", "EFGH", "IJKL"].map(column), { paint: PLAIN, columns: 40, now: 0 });
  expect(text.split("\n")[1]).toBe("ABCDABCDABCDABCD  EFGHEFGHE…  IJKLIJKLI…");
});
