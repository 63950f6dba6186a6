import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { LONGEST_SKILL, readSkill } from "./read-skill.ts";

const encode = (text: string) => new TextEncoder().encode(text);
const read = (source: string | Uint8Array, folder = "x", sidecar?: string) =>
  readSkill({ bytes: typeof source === "string" ? encode(source) : source, folder, sidecar });
const codes = (source: string | Uint8Array, folder = "x") =>
  read(source, folder).diagnostics.map(({ code }) => code);
const usable = (source: string | Uint8Array, folder = "x") => {
  const { spec } = read(source, folder);
  if (spec === undefined) throw new Error(`not usable: ${JSON.stringify(read(source, folder).diagnostics)}`);
  return spec;
};

const DEPLOY = `# Deploy to Staging

## Description
Deploys the application to the staging
environment.

Not this paragraph.

## Steps

### 1. Run tests
Execute the test suite and verify all tests pass.

\`\`\`bash
scripts/run-tests.sh
\`\`\`

### 2. Build artifacts
Build the deployment artifacts.

### 3. Deploy
Deploy to the staging environment using the deployment script.

    scripts/deploy.sh --env staging

## Definition of Done

• All tests pass
• Application is accessible at the staging URL
- [ ] \`scripts/check.sh --url x\` returns 200
`;

describe("a skill of headings alone", () => {
  test("has the folder's name, steps with their scripts, and when it is done", () => {
    expect(usable(DEPLOY, "deploy-to-staging")).toMatchObject({
      name: "deploy-to-staging",
      version: "1.0.0",
      title: "Deploy to Staging",
      description: "Deploys the application to the staging environment.",
      format: "heading",
      steps: [
        { index: 1, title: "Run tests", commands: [{ script: "scripts/run-tests.sh", args: [] }] },
        { index: 2, title: "Build artifacts", commands: [] },
        {
          index: 3,
          title: "Deploy",
          commands: [{ script: "scripts/deploy.sh", args: ["--env", "staging"] }],
        },
      ],
      definitionOfDone: [
        { text: "All tests pass", commands: [] },
        { text: "Application is accessible at the staging URL", commands: [] },
        { commands: [{ script: "scripts/check.sh", args: ["--url", "x"] }] },
      ],
      tools: undefined,
    });
    expect(codes(DEPLOY, "deploy-to-staging")).toEqual(["no-frontmatter"]);
  });

  test("is described by its first paragraph where no heading says Description", () => {
    expect(usable("# T\n\nDoes it.\nWell.\n\nMore.").description).toBe("Does it. Well.");
  });

  test.each([
    ["no text", ""],
    ["a link that git has written as a file", "../../other/SKILL.md"],
    ["HTML", "<div># no</div>"],
    ["everything in a block of code", "```skill\n---\nname: x\ndescription: y\n---\n# T\n```\n"],
  ])("%s is none", (_, text) => {
    expect(read(text)).toMatchObject({ diagnostics: [{ level: "error", code: "not-a-skill" }] });
    expect(read(text).spec).toBeUndefined();
  });

  test("without any text below its title has no description", () => {
    expect(codes("# T\n")).toEqual(["no-frontmatter", "description-missing"]);
  });
});

describe("steps", () => {
  const titles = (text: string) => usable(`# T\n\nd\n\n${text}`).steps.map(({ title }) => title);
  test.each([
    ["## Workflow\n### Step 1: One\n### Step 2: Two\n## Notes\n### No", ["One", "Two"]],
    ["## Steps\n1. One\n2. Two\n", ["One", "Two"]],
    ["## Steps\n- [ ] One\n* Two", ["One", "Two"]],
    ["## Steps\n## 1. One\n## 2. Two\n## Else", ["One", "Two"]],
    ["## Step 1\n## Step 2 - Two", ["Step 1", "Step 2 - Two"]],
    ["## 1. One\ntext\n### 2. Two", ["One", "Two"]],
    ["## Usage\nNothing to do.", []],
    ["## Steps\n```md\n### 1. not this\n```\n### 1. One\n~~~\n### nor this\n~~~", ["One"]],
    ["## Steps\n### 1. One ##\n#### Detail\n### 2. Two", ["One", "Two"]],
  ])("%j are %j", (text, steps) => {
    expect(titles(text)).toEqual(steps);
  });

  const commands = (text: string) =>
    usable(`# T\n\nd\n\n## Steps\n### 1. S\n${text}`).steps[0]?.commands.map(
      ({ interpreter, script, args }) => [interpreter ?? [], script, ...args].flat().join(" "),
    );
  test.each([
    ["```bash\n$ ./scripts/a.sh 'b c' \"d\"\n# scripts/no.sh\nnpm test\n```", ["scripts/a.sh b c d"]],
    ["```sh\nscripts/a.sh \\\n  --long \\\n  x\n```", ["scripts/a.sh --long x"]],
    ["```python\nscripts/a.py\n```", []],
    ["```\npython3 scripts/a.py --x\n```", ["python3 scripts/a.py --x"]],
    ["Run `scripts/a.sh --all` now, see `scripts/b.sh`.", ["scripts/a.sh --all"]],
    ["scripts/a.sh one\nscripts/a.sh one", ["scripts/a.sh one"]],
    ["```bash\nscripts/a.sh <file>\nscripts/a.sh $X\nscripts/a.sh | tee\nscripts/../x\nscripts/\n```", []],
    ["Text that mentions scripts/a.sh in passing.", []],
  ])("%j runs %j", (text, expected) => {
    expect(commands(text)).toEqual(expected);
  });
});

const front = (yaml: string, body = "text") => `---\n${yaml}\n---\n${body}`;

describe("front matter", () => {
  test.each([
    ["CRLF", "---\r\nname: x\r\ndescription: d\r\n---\r\nbody\r\n", "body\r\n"],
    ["CR", "---\rname: x\rdescription: d\r---\rbody", "body"],
    ["a byte order mark", "\uFEFF---\nname: x\ndescription: d\n---\nbody", "body"],
    ["blank lines above", "\n \n---\nname: x\ndescription: d\n---\nbody", "body"],
    ["blanks behind the fences", "---  \nname: x\ndescription: d\n--- \t\nbody", "body"],
    ["nothing behind", "---\nname: x\ndescription: d\n---", ""],
    ["dots at its end", "---\nname: x\ndescription: d\n...\nbody", "body"],
    [
      "rulers, front matter and comments in the text",
      "---\nname: x\ndescription: d\n---\na\n---\nb\n```\n---\nname: y\n---\n```\n<!-- c -->",
      "a\n---\nb\n```\n---\nname: y\n---\n```\n<!-- c -->",
    ],
  ])("with %s is read, and the rest stays as it is", (_, text, instructions) => {
    expect(usable(text)).toMatchObject({ name: "x", description: "d", format: "frontmatter", instructions });
    expect(codes(text)).toEqual([]);
  });

  test("in UTF-16 is read, and that is told", () => {
    const text = "\uFEFF---\nname: x\ndescription: dü\n---\n";
    const wide = new Uint8Array(new Uint16Array([...text].map((char) => char.charCodeAt(0))).buffer);
    expect(usable(wide).description).toBe("dü");
    expect(codes(wide)).toEqual(["encoding-utf16"]);
    expect(codes(wide.slice(2))).toEqual(["not-text"]);
    expect(codes(new Uint8Array([0x2d, 0xff, 0xfe]))).toEqual(["not-utf8"]);
  });

  test.each([
    ["description: Use when: reviewing code", "Use when: reviewing code"],
    ["description: @mention it", "@mention it"],
    ["description: *.ts files", "*.ts files"],
    ["description: %s is replaced", "%s is replaced"],
    ["description: `code` first", "`code` first"],
    ["description: ends in a colon:", "ends in a colon:"],
  ])("%j is read as the text that it was meant to be, and told with its line", (yaml, description) => {
    const { spec, diagnostics } = read(front(`name: x\n${yaml}`));
    expect(spec?.description).toBe(description);
    expect(diagnostics).toEqual([expect.objectContaining({ code: "yaml-repaired", line: 3 })]);
  });

  test("of which one line is repaired keeps the others as they are", () => {
    const { spec } = read(front('name: x\ndescription: Use: it\nmetadata: {version: "2.1", tags: [a, b]}'));
    expect(spec).toMatchObject({ version: "2.1", metadata: { version: "2.1", tags: '["a","b"]' } });
  });

  test.each([
    ["description: >-\n  folded\n  text", "folded text", []],
    ["description: |\n  one\n  two", "one\ntwo", []],
    ["description: a # b", "a", ["comment-in-value"]],
    ["description: one\ndescription: two", "two", ["duplicate-field"]],
    ["description: 1.0", "1.0", []],
    ["description: '---'", "---", []],
    ["description: d\nlicense: MIT\ncompatibility: Node 24", "d", []],
    ["description: d\nauthor: me\nuser-invocable: true", "d", ["unexpected-field", "unexpected-field"]],
    ["description: d\n__proto__:\n  a: b", "d", ["unexpected-field"]],
    ["description: d\nmetadata: text", "d", ["metadata-no-mapping"]],
    [`description: ${"d".repeat(1025)}`, "d".repeat(1025), ["description-too-long"]],
  ])("%j says %j", (yaml, description, told) => {
    expect(usable(front(`name: x\n${yaml}`)).description).toBe(description);
    expect(codes(front(`name: x\n${yaml}`))).toEqual(told);
  });

  test.each([
    ["name: x", "description-missing"],
    ["name: x\ndescription: ''", "description-missing"],
    ["name: x\ndescription: [a]", "description-missing"],
    ["- a\n- b", "frontmatter-no-mapping"],
    ["", "frontmatter-no-mapping"],
    ["name: x\ndescription: d\n  bad\n indent: {", "yaml-invalid"],
    [`a: &a [x]\nb: ${"[".repeat(20_000)}`, "yaml-invalid"],
    [`a: ${"y".repeat(70_000)}`, "yaml-too-long"],
  ])("%.40j is not usable, and says why", (yaml, code) => {
    const { spec, diagnostics } = read(front(yaml));
    expect(spec).toBeUndefined();
    expect(diagnostics.at(-1)).toMatchObject({ level: "error", code, line: expect.any(Number) });
  });

  test("that is not closed, and a file that is too large, are not usable", () => {
    expect(codes("---\nname: x\n")).toEqual(["frontmatter-unclosed"]);
    expect(codes(new Uint8Array(LONGEST_SKILL + 1).fill(0x61))).toEqual(["too-large"]);
  });

  test("with bombs of aliases costs nothing", () => {
    const bomb = Array.from({ length: 9 }, (_, n) => `a${n + 1}: &a${n + 1} [${`*a${n},`.repeat(9)}]`).join(
      "\n",
    );
    expect(usable(front(`name: x\ndescription: d\na0: &a0 [x]\n${bomb}`)).name).toBe("x");
  });
});

describe("the name", () => {
  test.each([
    ["pdf", "pdf-tools", "pdf", ["name-folder"]],
    ["Writing Rules", "writing-rules", "writing-rules", ["name-case", "name-chars", "name-folder"]],
    ["!!", "folder", "folder", ["name-chars", "name-folder"]],
  ])("%j in %j is %j", (name, folder, handle, told) => {
    const text = front(`name: ${JSON.stringify(name)}\ndescription: d`);
    expect(usable(text, folder).name).toBe(handle);
    expect(codes(text, folder)).toEqual(told);
  });

  test("is the folder's where there is none, and without either there is no skill", () => {
    expect(usable(front("description: d"), "My Folder").name).toBe("my-folder");
    expect(codes(front("description: d"), "x")).toEqual(["name-missing"]);
    expect(codes(front("description: d"), "!")).toEqual(["name-missing", "name-unusable"]);
  });
});

describe("allowed-tools", () => {
  const tools = (yaml: string) =>
    usable(front(`name: x\ndescription: d\n${yaml}`)).tools?.map(({ pattern }) => pattern);
  test.each([
    ["allowed-tools: Bash(git:*) Read", ["Bash(git:*)", "Read"], []],
    ["allowed-tools: Bash(git:*), Read", ["Bash(git:*)", "Read"], ["allowed-tools-commas"]],
    ["allowed-tools:\n  - Bash(git:*)\n  - Read", ["Bash(git:*)", "Read"], ["allowed-tools-list"]],
    ["allowed-tools: [Read, Grep]", ["Read", "Grep"], ["allowed-tools-list"]],
    ["allowed-tools: ''", [], []],
    ["allowed-tools:\n  a: b", [], ["allowed-tools-unreadable"]],
    ["license: MIT", undefined, []],
  ])("%j are %j", (yaml, patterns, told) => {
    expect(tools(yaml)).toEqual(patterns);
    expect(codes(front(`name: x\ndescription: d\n${yaml}`))).toEqual(told);
  });
});

describe("resource slots", () => {
  const slots = (sidecar: string) => read(front("name: x\ndescription: d"), "x", sidecar);
  test("stand in a file beside it, as a list or by name, or in the metadata", () => {
    const config = { name: "config", type: "file", access: "read_only", required: true, description: "" };
    expect(slots("resource_slots: [{ name: config }]").spec?.resourceSlots).toEqual([config]);
    expect(slots("resource_slots: { config: { access: read_write } }").spec?.resourceSlots).toEqual([
      { ...config, access: "read_write" },
    ]);
    expect(
      usable(front('name: x\ndescription: d\nmetadata:\n  resource_slots: "config, 1x"')).resourceSlots,
    ).toEqual([config]);
  });

  test.each(["resource_slots: [{}]", "slots: []", "a: [", "- a", "[".repeat(20_000)])(
    "%.30j is told, and harms nothing",
    (sidecar) => {
      expect(slots(sidecar)).toMatchObject({
        spec: { name: "x", resourceSlots: [] },
        diagnostics: [{ level: "warning", code: "sidecar-invalid" }],
      });
    },
  );
});

test("code without an end is told with its line", () => {
  expect(read(front("name: x\ndescription: d", "a\n```bash\nb")).diagnostics).toEqual([
    expect.objectContaining({ code: "code-unclosed", line: 6 }),
  ]);
});

describe("whatever the bytes are", () => {
  const check = (bytes: Uint8Array) => {
    const { spec, diagnostics } = readSkill({ bytes, folder: "x", sidecar: "" });
    expect(spec !== undefined || diagnostics.some(({ level }) => level === "error")).toBe(true);
  };
  test("it answers", () => {
    fc.assert(fc.property(fc.uint8Array({ maxLength: 2000 }), check), { numRuns: 300 });
  });
  const piece = fc.oneof(
    fc.constantFrom(
      "---\n",
      "name: x\n",
      "description: ",
      "# ",
      "## Steps\n",
      "### 1. ",
      "```",
      "- ",
      "\t",
      " ",
    ),
    fc.constantFrom(
      "{",
      "[",
      "&a ",
      "*a",
      "!!js/function ",
      "? ",
      ": ",
      "|\n",
      ">-\n",
      "#",
      "\r",
      "`scripts/a`",
    ),
    fc.string({ maxLength: 20 }),
  );
  test("also where they look like a skill", () => {
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 60 }), (pieces) => check(encode(pieces.join("")))),
      { numRuns: 500 },
    );
  });
  test.each([
    "[",
    "{a: ",
    "- ",
    "? ",
    "#",
    " ",
    "\n",
    "`",
    "# ",
    "a: b\n",
    "&a ",
    "*",
    "scripts/a.sh ",
    "'",
    "\\\n",
  ])("a megabyte of %j is read through", (unit) => {
    const many = unit.repeat(Math.floor(900_000 / unit.length));
    check(encode(`# T\n\nd\n\n## Steps\n### 1. s\n${many}`));
    check(encode(front(`name: x\ndescription: d\nz: ${many.slice(0, 60_000)}`)));
  });
});
