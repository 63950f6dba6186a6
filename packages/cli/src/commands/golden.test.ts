import { expect, test } from "vitest";
import { toYaml } from "../output/yaml.ts";
import { ALL_CASES } from "../testing/cases/all-cases.ts";
import type { Case } from "../testing/cases/case.ts";
import { goldenText, wordsIn } from "../testing/golden-text.ts";
import { pathOf, runCase } from "../testing/run-case.ts";

/** `plan-list.txt`; a second one of the same command has a number. */
const FILES: ReadonlyMap<Case, string> = (() => {
  const taken = new Map<string, number>();
  return new Map(
    ALL_CASES.map((given) => {
      const short = pathOf(given).replaceAll(" ", "-");
      const nth = (taken.get(short) ?? 0) + 1;
      taken.set(short, nth);
      return [given, `golden/${short}${nth === 1 ? "" : `-${nth}`}.txt`];
    }),
  );
})();
const OURS = ALL_CASES.filter(({ agent }) => agent === undefined);
const CALLS = ALL_CASES.filter(({ method }) => method !== undefined);

test.each(ALL_CASES)("agents $argv shows what is written down of it", async (given) => {
  await expect(await goldenText(given)).toMatchFileSnapshot(FILES.get(given) ?? "");
});

test.each(OURS)("agents $argv says the same in a pipe and on a terminal, coloured or not", async (given) => {
  const pipe = await runCase(given);
  for (const env of [{ NO_COLOR: "1" }, {}] as const) {
    const there = { isTTY: true, columns: 400, env: { PAGER: "", ...env } };
    const { code, cli } = await runCase(given, { where: there, flags: ["--no-input"] });
    expect(code).toBe(pipe.code);
    expect(wordsIn(cli.stdout)).toBe(wordsIn(pipe.cli.stdout));
  }
  const plain = await runCase(given, { where: { isTTY: true, columns: 400 }, flags: ["--no-color"] });
  expect(plain.cli.terminal).not.toMatch(/\p{Cc}\[\d+m/u);
});

test.each(CALLS)("agents $argv prints the result itself for programs, and names", async (given) => {
  const json = await runCase(given, { flags: ["-o", "json"] });
  expect(json.code).toBe(given.code ?? 0);
  expect(JSON.parse(json.cli.stdout)).toEqual(JSON.parse(JSON.stringify(given.result)));
  const yaml = await runCase(given, { flags: ["-o", "yaml"] });
  expect(yaml.cli.stdout).toBe(toYaml(JSON.parse(JSON.stringify(given.result))));
  const names = await runCase(given, { flags: ["-o", "name"] });
  expect(names.cli.stdout).toBe(`${given.names}\n`);
});

test.each(CALLS)("agents $argv sends its parameters, and reads stdin only when told to", async (given) => {
  const { cli } = await runCase(given);
  const sent = JSON.parse(JSON.stringify(cli.paramsOf(given.method ?? ""))) as Record<string, unknown>;
  expect(sent).toMatchObject(given.params ?? {});
  expect(cli.stdinRead).toBe(given.argv.split(" ").includes("-"));
});
