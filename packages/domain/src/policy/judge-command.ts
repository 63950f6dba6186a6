import type { CommandPolicy } from "./command-policy.ts";
import { allows, baseName, isMeantBy } from "./command-rule.ts";
import { HARMLESS_PROGRAMS, isHarmlessVariable } from "./harmless-programs.ts";
import type { ShellCommand, ShellParser, ShellRedirect, ShellWord } from "./shell-script.ts";
import { unwrap } from "./wrappers.ts";

export type Verdict = "allow" | "ask" | "deny";

/** What is thought of one simple command. */
export interface JudgedCommand {
  readonly command: string;
  readonly verdict: Verdict;
  readonly reason: string;
  /** The rule of the policy that decided, as it is written there. */
  readonly rule?: string;
  /** How many programs it is wrapped in. */
  readonly depth: number;
}

export interface Judgement {
  readonly verdict: Verdict;
  readonly reason: string;
  readonly commands: readonly JudgedCommand[];
  /** What was not understood; it is asked about. */
  readonly unclear: readonly string[];
}

/** Scripts in scripts; what is deeper is not looked at and asked about. */
const DEEPEST = 8;
/** Commands in one script. */
const MOST = 500;
const SYSTEM_PATHS = /^\/(?:usr\/)?bin\/[^/]+$/;

/** The verdict on a command, run with these variables set: the strictest of all that it would run. What is not understood is never allowed. */
export function judgeCommand(
  policy: CommandPolicy,
  parser: ShellParser,
  command: string | readonly string[],
  environment: readonly string[] = [],
): Judgement {
  const judge = new Judge(policy, parser);
  if (environment.length > 0)
    judge.command({ words: [], assignments: environment, redirects: [] }, 0, 0, true);
  if (typeof command === "string") judge.script(command, 0, 0);
  else judge.command({ words: command.map(asWord), assignments: [], redirects: [] }, 0, 0);
  return judge.sum();
}

function asWord(value: string): ShellWord {
  return { text: value, value };
}

class Judge {
  readonly #policy: CommandPolicy;
  readonly #parser: ShellParser;
  readonly #judged: JudgedCommand[] = [];
  readonly #unclear = new Set<string>();

  constructor(policy: CommandPolicy, parser: ShellParser) {
    this.#policy = policy;
    this.#parser = parser;
  }

  script(text: string, depth: number, vouched: number): void {
    if (depth > DEEPEST) return void this.#unclear.add("commands in too many commands");
    const { commands, unclear } = this.#parser.parse(text);
    for (const what of unclear) this.#unclear.add(what);
    if (commands.length === 0 && unclear.length === 0) this.#unclear.add("no command");
    for (const command of commands) this.command(command, depth, vouched);
  }

  /** `vouched`: more than 0 if a rule that names this very command allows the wrapper around it. */
  command(command: ShellCommand, depth: number, vouched: number, exported = false): void {
    if (this.#judged.length >= MOST || depth > DEEPEST) return void this.#unclear.add("too many commands");
    const { words } = command;
    const allowed = this.#allowing(words);
    const own = this.#own(command, depth, vouched > 0, exported);
    this.#judged.push(own);
    const program = words[0]?.value;
    const wrapped = program === undefined ? undefined : unwrap(baseName(program), words);
    if (wrapped === undefined) return;
    for (const { words: inner, at } of wrapped.commands) {
      const covers = vouched > 0 || (allowed !== undefined && allowed.covered > at);
      this.command({ words: inner, assignments: [], redirects: [] }, depth + 1, covers ? 1 : 0);
    }
    for (const text of wrapped.scripts) {
      // A rule that holds the whole text, and no `*` in its place, vouches for it.
      const covers = vouched > 0 || (allowed !== undefined && allowed.covered >= words.length);
      this.script(text, depth + 1, covers ? 1 : 0);
    }
  }

  sum(): Judgement {
    const worst =
      this.#judged.find(({ verdict }) => verdict === "deny") ??
      this.#judged.find(({ verdict }) => verdict === "ask");
    const [unclear] = this.#unclear;
    const rest = { commands: this.#judged, unclear: [...this.#unclear] };
    if (worst?.verdict === "deny") return { verdict: "deny", reason: worst.reason, ...rest };
    if (unclear !== undefined)
      return { verdict: this.#policy.otherwise, reason: `not understood: ${unclear}`, ...rest };
    if (worst !== undefined) return { verdict: worst.verdict, reason: worst.reason, ...rest };
    return { verdict: "allow", reason: this.#judged[0]?.reason ?? "nothing is run", ...rest };
  }

  #own(command: ShellCommand, depth: number, vouched: boolean, exported: boolean): JudgedCommand {
    const line = lineOf(command);
    const said = (verdict: Verdict, reason: string, rule?: string): JudgedCommand => ({
      command: line,
      verdict,
      reason,
      ...(rule === undefined ? {} : { rule }),
      depth,
    });
    const { words } = command;
    const denied = this.#policy.deny.find((rule) => isMeantBy(rule, words) === "yes");
    if (denied !== undefined) return said("deny", `"${line}" is denied by the rule "${denied}"`, denied);
    const asked = this.#policy.ask.find((rule) => isMeantBy(rule, words) === "yes");
    if (asked !== undefined) return said("ask", `"${line}" is asked about by the rule "${asked}"`, asked);
    const possible = [...this.#policy.deny, ...this.#policy.ask].find(
      (rule) => isMeantBy(rule, words) === "maybe",
    );
    if (possible !== undefined)
      return said("ask", `"${line}" may be what the rule "${possible}" means`, possible);
    const beside = sideEffect(command, exported);
    if (beside !== undefined) return said(this.#policy.otherwise, beside);
    const allowed = this.#allowing(words);
    if (allowed !== undefined)
      return said("allow", `"${line}" is allowed by the rule "${allowed.rule}"`, allowed.rule);
    if (vouched) return said("allow", "a rule allows what runs it");
    if (words.length === 0) return said("allow", "it runs nothing");
    const program = words[0]?.value;
    if (program === undefined)
      return said(this.#policy.otherwise, `which program "${line}" runs is not known before`);
    const wrapped = unwrap(baseName(program), words);
    if (wrapped !== undefined && isBare(program)) {
      const set = wrapped.assignments.find((name) => !isHarmlessVariable(name, true));
      const why = set === undefined ? wrapped.why : `it sets ${set}`;
      return why === undefined
        ? said("allow", `${program} runs what is judged by itself`)
        : said(this.#policy.otherwise, why);
    }
    if (isBare(program) && HARMLESS_PROGRAMS.has(baseName(program)))
      return said("allow", `${program} changes nothing, whatever its arguments`);
    return said(this.#policy.otherwise, `no rule allows "${line}"`);
  }

  #allowing(words: readonly ShellWord[]): { readonly rule: string; readonly covered: number } | undefined {
    for (const rule of this.#policy.allow) {
      const found = allows(rule, words);
      if (found !== undefined) return { rule, ...found };
    }
    return undefined;
  }
}

function lineOf({ words, assignments, redirects }: ShellCommand): string {
  return [
    ...assignments.map((name) => `${name}=…`),
    ...words.map(({ text }) => text),
    ...redirects.map(({ operator, target }) => `${operator} ${target?.text ?? "…"}`),
  ].join(" ");
}

/** Found on the PATH or in the system's own folders, and not something of the project's with the same name. */
function isBare(program: string): boolean {
  return !program.includes("/") || SYSTEM_PATHS.test(program);
}

/** What a command does besides running its program. */
function sideEffect({ words, assignments, redirects }: ShellCommand, exported: boolean): string | undefined {
  const set = assignments.find((name) => !isHarmlessVariable(name, exported || words.length > 0));
  if (set !== undefined) return `it sets ${set}`;
  for (const redirect of redirects) {
    const why = writes(redirect);
    if (why !== undefined) return why;
  }
  return undefined;
}

function writes({ operator, target }: ShellRedirect): string | undefined {
  const shown = target?.text ?? "";
  if (operator.startsWith("<<")) return undefined;
  if (target?.value === undefined) return `where it is redirected to is not known before (${shown})`;
  const isDescriptor = /^(?:\d+|-|\d+-)$/.test(target.value);
  if ((operator === ">&" || operator === "<&") && isDescriptor) return undefined;
  // In bash these are connections, not files.
  if (/^\/dev\/(?:tcp|udp)\//.test(target.value)) return `it connects to ${shown}`;
  if (operator === "<") return undefined;
  return target.value === "/dev/null" ? undefined : `it writes to ${shown}`;
}
