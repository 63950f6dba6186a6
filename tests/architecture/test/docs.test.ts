import { execFileSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

const root = fileURLToPath(new URL("../../../", import.meta.url));
const pages = execFileSync("git", ["ls-files", "-z", "--cached", "--others", "--exclude-standard", "*.md"], {
  cwd: root,
  encoding: "utf8",
})
  .split("\0")
  .filter((page) => page !== "" && existsSync(path.join(root, page)));
const read = (page: string) => readFileSync(path.join(root, page), "utf8");

test("every link from one page to another leads somewhere", () => {
  const dead = pages.flatMap((page) =>
    [...read(page).matchAll(/\]\(([^)#\s]+)(?:#[^)]*)?\)/g)]
      .map((match) => match[1] as string)
      .filter((link) => !/^[a-z]+:/.test(link) && !existsSync(path.resolve(root, path.dirname(page), link)))
      .map((link) => `${page}: ${link}`),
  );
  expect(dead).toEqual([]);
});

test("every path that ARCHITECTURE.md sends a newcomer to is there", () => {
  const table = read("ARCHITECTURE.md").split("## The picture")[0] ?? "";
  const paths = [...table.matchAll(/`((?:packages|apps|docs|bench|tests|\.dependency)[^`]*)`/g)]
    .map((match) => match[1] as string)
    .filter((named) => !/[<{*]/.test(named));
  expect(paths.length).toBeGreaterThan(15);
  expect(paths.filter((named) => !existsSync(path.join(root, named)))).toEqual([]);
});

test("every decision is in the index", () => {
  const index = read("docs/adr/README.md");
  const missing = readdirSync(path.join(root, "docs/adr")).filter(
    (name) => name !== "README.md" && !index.includes(`(${name})`),
  );
  expect(missing).toEqual([]);
});
