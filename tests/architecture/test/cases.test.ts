import { readFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { brokenPromises, readCaseRows } from "./case-tables.ts";
import { root } from "./cruise.ts";

const numbered = (area: string, ...numbers: readonly number[]) =>
  numbers.map((n) => `${area}-${String(n).padStart(2, "0")}`);

/** The known mistakes that each page promises to prevent. */
const CASES: Readonly<Record<string, readonly string[]>> = {
  "docs/conformance.md": [
    ...numbered("JR", 1, 2, 3, 5, 6, 7, 9, 10, 12),
    ...numbered("VC", 1, 2, 3, 5, 6, 7, 9, 11),
    ...numbered("MP", 1, 2, 3, 5, 6, 7, 8, 11),
    ...numbered("TL", 1, 2, 3, 4, 5, 6, 8, 9, 10, 11, 12, 16, 17, 19),
    ...numbered("LI", 1, 2, 3, 4, 7),
    ...numbered("SS", 1, 2, 3, 4, 7, 8, 9, 10, 11, 13, 15, 16, 17, 18),
    ...numbered("PW", 1, 2, 3, 5, 6, 7, 8),
    ...numbered("RB", 1, 2, 3, 4, 6),
    ...numbered("CP", 1, 2, 3, 4, 5, 6, 7, 10, 11),
    ...numbered("AU", 1, 3, 4, 5),
    ...numbered("ST", 1, 2, 3, 5, 7, 8),
    ...numbered("PS", 1, 2, 4, 5),
    ...numbered("FI", ...Array.from({ length: 38 }, (_, n) => n + 1)),
  ],
  "docs/cases.md": [
    ...numbered("GS", 1, 2, 3, 4, 6, 7, 9, 10, 11, 12, 15, 16, 19, 20, 21),
    ...numbered("MC", 1, 2, 3, 4, 5, 7, 8, 10, 12, 13),
    ...numbered("SK", 1, 2, 3, 4, 7),
    ...numbered("PL", ...Array.from({ length: 70 }, (_, n) => n + 39), 113, 114),
    ...numbered("LS", 1, 2, 3, 4, 5, 7),
    ...numbered("CL", 1, 2, 3, 5, 7),
  ],
};

const rowsOf = (page: string) => readCaseRows(readFileSync(path.join(root, page), "utf8"));

test.each(Object.keys(CASES))("every test that %s names for a case is there", (page) => {
  expect(rowsOf(page).flatMap((row) => brokenPromises(root, row))).toEqual([]);
});

test.each(Object.entries(CASES))("%s has a row for each of its cases, and one alone", (page, cases) => {
  const told = rowsOf(page).flatMap((row) => row.cases);
  expect(cases.filter((each) => !told.includes(each))).toEqual([]);
  expect(cases.filter((each) => told.indexOf(each) !== told.lastIndexOf(each))).toEqual([]);
});

test("a file or a title that is not there, and a row without any, are told", () => {
  const rows = readCaseRows(`
\`here/\` is \`tests/architecture/test/\`.

| case | held by |
|---|---|
| AA-01 good | \`here/cases.test.ts\`: "a file or a title that is not there, …", \`cruise.ts\`, \`here/\`: "every link from one page to another leads somewhere" |
| AA-02, AA-03 no file | \`here/gone.test.ts\`: "x" |
| AA-04 no title | \`here/docs.test.ts\`: "every link from one page", "every decision is in the index" |
| AA-05 nothing | somehow |

| case | what |
|---|---|
| AA-06 of another table | \`gone\` |
`);
  expect(rows.map(({ cases }) => cases)).toEqual([["AA-01"], ["AA-02", "AA-03"], ["AA-04"], ["AA-05"]]);
  expect(rows.flatMap((row) => brokenPromises(root, row))).toEqual([
    "AA-02, AA-03: there is no tests/architecture/test/gone.test.ts",
    'AA-04: tests/architecture/test/docs.test.ts has no test "every link from one page"',
    "AA-05: nothing holds it",
  ]);
});
