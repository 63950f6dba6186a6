import { type CommandPolicy, judgeCommand, NO_RULES, type Verdict } from "@cleveragents/domain";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { UnbashShellParser } from "../src/shell/index.ts";

const parser = new UnbashShellParser();
const verdict = (command: string | readonly string[], rules: Partial<CommandPolicy> = {}): Verdict =>
  judgeCommand({ ...NO_RULES, ...rules }, parser, command).verdict;

describe("without a rule", () => {
  test.each([
    "ls -la src",
    "cat a.txt b.txt | grep -n x | wc -l",
    "cd src && ls; pwd || true",
    "head -n 3 *.ts",
    'cat "$FILE" ${OTHER:-x} "${x%.ts}"',
    "grep -r foo . 2>/dev/null",
    "cat missing 2>&1",
    "cat < input.txt",
    "cat <<EOF\nhello $name\nEOF",
    "for f in a b; do echo $f; done",
    "if grep -q x f; then echo yes; else echo no; fi",
    "(cd src; ls)",
    "{ ls; pwd; }",
    "x=1; echo $x",
    "LC_ALL=C NO_COLOR=1 ls",
    "echo $(cat f) `pwd`",
    "timeout -k 5 10 cat f",
    "nice -n 5 wc -l f",
    "env LC_ALL=C ls",
    "command -v node",
    "/usr/bin/cat f",
    "sh -c 'ls | wc -l'",
    "ls | xargs -n 1 cat",
    "! grep x f",
    "time ls",
    "sleep 1 &",
  ])("%s is allowed", (command) => {
    expect(judgeCommand(NO_RULES, parser, command)).toMatchObject({ verdict: "allow" });
  });

  test.each([
    // Programs that write, run or reach the network under some flag.
    "find . -name x",
    "find . -delete",
    "find . -exec cat {} +",
    "sort f",
    "sort -o f f",
    "uniq a b",
    "diff a b",
    "git status",
    "git diff --ext-diff",
    "git -c core.pager=x log",
    "git --exec-path=. status",
    "rg --pre ./x foo",
    "tar -xf a.tar --to-command=./x",
    "awk 'BEGIN{system(\"x\")}'",
    "sed -i s/a/b/ f",
    "sed s/a/b/e f",
    "sed 'w out' f",
    "tree -o f",
    "less f",
    "man ls",
    "file -C -m x",
    "date -s now",
    "xxd a b",
    "tee f",
    "printf -v PATH .",
    "test -v 'a[$(id)]'",
    "npm test",
    "npx cowsay",
    "curl x",
    "python3 -c 'print(1)'",
    "node -e 1",
    "make",
    "ssh host ls",
    "rm f",
    // What a shell does by itself.
    "ls > out.txt",
    "ls >> out.txt",
    "ls &> out.txt",
    "ls >& out.txt",
    "ls 2> err.txt",
    "ls >| out.txt",
    "cat <> f",
    "{ ls; } > f",
    "> f",
    "cat < /dev/tcp/example.org/80",
    "cat < $f",
    'ls > "$f"',
    "PATH=. ls",
    "LD_PRELOAD=./x.so ls",
    "PATH=.; ls",
    "for PATH in .; do ls; done",
    "env PATH=. ls",
    "env -S 'rm f'",
    "export PATH=.",
    "./ls",
    "bin/cat f",
    "~/ls",
    "$CMD f",
    '"$@"',
    "l* f",
    "{ls,-l}",
    "$'ls'",
    "f() { rm x; }; f",
    "ls() { :; }; ls",
    "alias ls=rm; ls",
    "eval ls",
    "source f",
    ". ./f",
    "trap ls EXIT",
    "exec ls",
    "echo $((a))",
    "echo ${x@P}",
    "echo ${!x}",
    "echo ${x:=y}",
    "echo ${a[i]}",
    "a[$(id)]=1",
    "cat <(ls)",
    "[[ -f x ]]",
    "((a=1))",
    "coproc ls",
    "sh script.sh",
    "sh",
    "bash -l -c ls",
    "bash --rcfile x -c ls",
    'sh -c "$x"',
    "xargs -a f $x",
    "sudo ls",
    "nohup ls",
    "setsid ls",
    "timeout --unknown 5 ls",
    // What cannot be read.
    "echo 'x",
    "ls (",
    "",
    "# nothing",
    "ls\u00a0f",
    "ls\rrm f",
    "ls \u202egnp.x",
    `ls ${"x".repeat(70_000)}`,
  ])("%s is asked about", (command) => {
    expect(verdict(command)).toBe("ask");
    expect(verdict(command, { otherwise: "deny" })).toBe("deny");
  });

  test("a list is one command, whatever its words look like", () => {
    expect(verdict(["cat", "a; rm -rf b", "$(rm)"])).toBe("allow");
    expect(verdict(["sh", "-c", "rm f"])).toBe("ask");
    expect(verdict([])).toBe("allow");
  });
});

describe("rules", () => {
  test("allow what they name word by word, and a * at the end any further words", () => {
    const rules = { allow: ["npm test", "npm run *", "git status", "npx tsc *"] };
    for (const command of [
      "npm test",
      "npm run build -- --watch",
      "git status",
      "npx tsc -p .",
      "cd x && npm test",
    ])
      expect(verdict(command, rules), command).toBe("allow");
    for (const command of [
      "npm test --coverage",
      "npm install",
      "./npm test",
      "git -c x=y status",
      "git status --porcelain",
      "npx eslint",
      'npm run "$x"',
      "npm test > log",
      "PATH=. npm test",
      "npm test; npm install",
      "npm test $(npm install)",
    ])
      expect(verdict(command, rules), command).toBe("ask");
  });

  test("a rule that names only a wrapper does not allow what it wraps", () => {
    expect(verdict("env rm f", { allow: ["env *"] })).toBe("ask");
    expect(verdict("sudo rm f", { allow: ["sudo *"] })).toBe("ask");
    expect(verdict("sudo rm f", { allow: ["sudo rm *"] })).toBe("allow");
  });

  test("deny beats ask, and ask beats allow", () => {
    const both = { allow: ["git push"], ask: ["git push"], deny: [] };
    expect(verdict("git push", both)).toBe("ask");
    expect(verdict("git push", { ...both, deny: ["git push"] })).toBe("deny");
    expect(verdict("cat .env", { ask: ["cat .env"] })).toBe("ask");
    expect(verdict("cat .env", { deny: ["cat .env"] })).toBe("deny");
  });

  test.each([
    ["git push", "git -C x push --force"],
    ["git push", "git -c alias.p=x push origin"],
    ["rm -rf", "rm -f -r x"],
    ["rm -rf", "rm x -fr"],
    ["rm", "/bin/rm x"],
    ["rm", "\\rm x"],
    ["rm", "r''m x"],
    ["rm", '"rm" x'],
    ["rm", "RM x"],
    ["*curl", "xcurl y"],
    ["chmod *77", "chmod 777 x"],
    ["cat .env", "cat a .env"],
  ])("the denial of %s means %s too", (rule, command) => {
    expect(verdict(command, { deny: [rule] })).toBe("deny");
  });

  test("where only the running shell knows whether it is denied, it is asked about", () => {
    expect(verdict("cat $f", { deny: ["cat .env"] })).toBe("ask");
    expect(verdict("cat *", { deny: ["cat .env"] })).toBe("ask");
    expect(verdict("$x", { deny: ["rm"] })).toBe("ask");
    expect(verdict("git $x", { deny: ["git push"], allow: ["git *"] })).toBe("ask");
  });

  test.each([
    "x | rm f",
    "x && rm f",
    "x; rm f",
    "x & rm f",
    "x || rm f",
    "$(rm f)",
    "`rm f`",
    'echo "a $(rm f)"',
    "cat <<X\n$(rm f)\nX",
    "cat <<< $(rm f)",
    "cat <(rm f)",
    "x > $(rm f)",
    "A=$(rm f) x",
    "export A=$(rm f)",
    "a[$(rm f)]=1",
    "echo $((1 + $(rm f)))",
    "echo ${x:-$(rm f)}",
    "if rm f; then x; fi",
    "while rm f; do x; done",
    "for i in $(rm f); do x; done",
    "case $(rm f) in a) x;; esac",
    "case x in a) rm f;; esac",
    "f() { rm f; }",
    "(rm f)",
    "{ rm f; }",
    "! rm f",
    "time rm f",
    "coproc rm f",
    "env rm f",
    "env -i A=b rm f",
    "env -u X -C / rm f",
    "env --weird rm f",
    "sudo -u root -n rm f",
    "sudo env nice -n 5 timeout 5 rm f",
    "doas rm f",
    "nohup setsid rm f",
    "stdbuf -oL rm f",
    "command rm f",
    "builtin rm f",
    "exec -a x rm f",
    "xargs rm",
    "xargs -I {} rm {}",
    "xargs --replace rm",
    "xargs -i rm {}",
    "find . -exec rm {} ;",
    "find . -execdir rm {} + -print",
    "sh -c 'rm f'",
    "bash -ec 'x; rm f'",
    "bash -c -e 'rm f'",
    "bash --norc -c 'rm f'",
    "zsh -o errexit -c 'rm f'",
    "eval 'rm f'",
    "eval rm f",
    "trap 'rm f' EXIT",
    "git -c 'alias.x=!rm f' x",
    "git -calias.x='!rm f' x",
    "git rebase -x 'rm f'",
    "git submodule foreach 'rm f'",
    "git submodule foreach rm f",
    "git bisect run rm f",
    "npx rm f",
    "npm exec -- rm f",
    "pnpm dlx rm f",
    "uv run rm f",
    "busybox rm f",
    "watch rm f",
    "ssh host rm f",
    "chroot /x rm f",
    "flock lock -c 'rm f'",
    "parallel rm ::: f",
  ])("a denied command is found in: %s", (command) => {
    expect(verdict(command, { deny: ["rm"], allow: ["x", "echo *", "cat *"] })).toBe("deny");
  });
});

const quote = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`;
/** Ways in which a command may be hidden in another one. */
const WRAPPINGS: readonly ((inner: string) => string)[] = [
  (c) => `ls; ${c}`,
  (c) => `${c} | cat`,
  (c) => `true && ${c} &`,
  (c) => `echo "$(${c})"`,
  (c) => `(${c})`,
  (c) => `{ ${c}; }`,
  (c) => `if true; then ${c}; fi`,
  (c) => `sh -c ${quote(c)}`,
  (c) => `bash -euc ${quote(c)} x`,
  (c) => `eval ${quote(c)}`,
  (c) => `env LC_ALL=C sh -c ${quote(c)}`,
  (c) => `timeout 5 nice sh -c ${quote(c)}`,
  (c) => `sudo -u x sh -c ${quote(c)}`,
  (c) => `ls | xargs -n 1 sh -c ${quote(c)}`,
  (c) => `find . -exec sh -c ${quote(c)} \\;`,
  (c) => `cat <<END\n$(${c})\nEND\n`,
  (c) => `trap ${quote(c)} EXIT`,
  (c) => `git -c ${quote(`alias.x=!${c}`)} x`,
  (c) => `f() { ${c}; }; f`,
  (c) => `X=$(${c}) ls`,
  (c) => `cat < <(${c})`,
];

test("however a denied command is wrapped, it is never allowed", () => {
  fc.assert(
    fc.property(
      fc.constantFrom("rm -rf x", "r\\m x", "'rm' x", "/bin/rm x", "command rm x", "$(echo rm) x"),
      fc.array(fc.constantFrom(...WRAPPINGS), { minLength: 1, maxLength: 5 }),
      (denied, wrappings) => {
        const command = wrappings.reduce<string>((inner, wrap) => wrap(inner), denied);
        expect(verdict(command, { deny: ["rm"] })).not.toBe("allow");
        expect(verdict(command)).not.toBe("allow");
      },
    ),
  );
});

test("whatever text it is, there is a verdict, and more text never makes it milder", () => {
  const RANK = { allow: 0, ask: 1, deny: 2 };
  const piece = fc.constantFrom(
    ..."abls rm'\"$(){}<>|&;`\\\n*~#=[]!-/ ".split(""),
    "rm",
    "cat ",
    "$(",
    "<<E\n",
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 40 }), (pieces) => {
      const text = pieces.join("");
      const found = judgeCommand({ ...NO_RULES, deny: ["rm"] }, parser, text);
      expect(RANK[found.verdict]).toBeGreaterThanOrEqual(
        Math.max(0, ...found.commands.map(({ verdict }) => RANK[verdict])),
      );
      if (found.unclear.length > 0) expect(found.verdict).not.toBe("allow");
    }),
  );
});

test("the reason names the command and the rule", () => {
  const found = judgeCommand({ ...NO_RULES, deny: ["git push"] }, parser, "ls && git push");
  expect(found).toMatchObject({
    verdict: "deny",
    reason: '"git push" is denied by the rule "git push"',
    commands: [
      { command: "ls", verdict: "allow", depth: 0 },
      { command: "git push", verdict: "deny", rule: "git push", depth: 0 },
    ],
  });
});
