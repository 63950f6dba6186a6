import type { ShellCommand, ShellParser, ShellRedirect, ShellScript, ShellWord } from "@cleveragents/domain";
import {
  type Command,
  forEachChild,
  type ParsedScript,
  parse,
  type Redirection,
  type SyntaxNode,
  type Word,
} from "unbash";
import { isClearExpansion, staticValue } from "./static-value.ts";

/** What is longer is not read. */
const LONGEST = 64 * 1024;
/** Characters that shells do not agree on, or that hide something from whoever reads the text. */
const STRANGE = /(?![\t\n ])[\p{Cc}\p{Cf}\p{Zs}\p{Zl}\p{Zp}]/u;

/** Constructs whose commands are found, and which may do something besides. */
const UNCLEAR: Readonly<Partial<Record<SyntaxNode["type"], string>>> = {
  Function: "a function is defined",
  Coproc: "a coprocess",
  Select: "a menu",
  ArithmeticFor: "arithmetic",
  ArithmeticCommand: "arithmetic",
  ArithmeticExpansion: "arithmetic",
  TestCommand: "a test of bash",
  ProcessSubstitution: "a process substitution",
  ArrayValue: "an array",
};

/** Reads shell text by `unbash`, as bash does; what other shells read differently is unclear. */
export class UnbashShellParser implements ShellParser {
  parse(text: string): ShellScript {
    if (text.length > LONGEST) return { commands: [], unclear: ["it is too long"] };
    if (STRANGE.test(text))
      return { commands: [], unclear: ["it holds control characters or strange spaces"] };
    try {
      const found = new Found();
      const script = parse(text);
      found.visit(script);
      if (leftOver(text, script, found.hereDocuments) !== "") found.unclear.add("a part that is no command");
      return { commands: found.commands, unclear: [...found.unclear] };
    } catch {
      // A parser that gives up, e.g. on depth, has not understood.
      return { commands: [], unclear: ["it cannot be read"] };
    }
  }
}

/** What lies between the commands and is no separator: the parser has passed over it. */
function leftOver(text: string, { commands }: ParsedScript, documents: readonly Range[]): string {
  const read = [...commands, ...documents].sort((a, b) => a.pos - b.pos);
  let rest = "";
  let at = 0;
  for (const { pos, end } of read) {
    rest += `${text.slice(at, Math.max(at, pos))}\n`;
    at = Math.max(at, end);
  }
  return `${rest}${text.slice(at)}`.replace(/\\\n|(?<=^|[\s;&])#.*|[\s;&]/gm, "");
}

interface Range {
  readonly pos: number;
  readonly end: number;
}

class Found {
  readonly hereDocuments: Range[] = [];
  readonly commands: ShellCommand[] = [];
  readonly unclear = new Set<string>();

  visit(node: SyntaxNode): void {
    const why = UNCLEAR[node.type];
    if (why !== undefined) this.unclear.add(why);
    switch (node.type) {
      case "Script":
        if (node.shebang !== undefined) this.unclear.add("a line that names an interpreter");
        for (const error of "errors" in node ? (node.errors ?? []) : []) this.unclear.add(error.message);
        break;
      case "Command":
        this.commands.push(toCommand(node));
        break;
      case "HereDoc":
        this.hereDocuments.push(node.body, ...(node.closing === undefined ? [] : [node.closing]));
        break;
      case "Redirected":
        this.commands.push({ words: [], assignments: [], redirects: node.redirects.map(toRedirect) });
        break;
      case "For":
        this.commands.push({ words: [], assignments: [node.name.value], redirects: [] });
        break;
      case "Assignment":
        if (node.index !== undefined) this.unclear.add("an array");
        break;
      case "ParameterExpansion":
        if (!isClearExpansion(node)) this.unclear.add(`the expansion ${node.text}`);
        break;
      case "CommandExpansion":
        if (node.script === undefined) this.unclear.add(`the substitution ${node.text}`);
        break;
    }
    forEachChild(node, (child) => {
      this.visit(child);
    });
  }
}

function toCommand({ name, prefix, suffix }: Command): ShellCommand {
  const words: ShellWord[] = name === undefined ? [] : [toWord(name)];
  const assignments: string[] = [];
  const redirects: ShellRedirect[] = [];
  for (const part of prefix) {
    if (part.type === "Assignment") assignments.push(part.name);
    else redirects.push(toRedirect(part));
  }
  for (const part of suffix) {
    if (part.type === "Word") words.push(toWord(part));
    // `export A=b`: an argument that has the form of an assignment.
    else if (part.type === "Assignment") words.push({ text: part.text });
    else redirects.push(toRedirect(part));
  }
  return { words, assignments, redirects };
}

function toRedirect(redirect: Redirection): ShellRedirect {
  const { operator } = redirect;
  const target = redirect.type === "HereDoc" ? undefined : redirect.target;
  return target === undefined ? { operator } : { operator, target: toWord(target) };
}

function toWord(word: Word): ShellWord {
  const value = staticValue(word);
  return value === undefined ? { text: word.text } : { text: word.text, value };
}
