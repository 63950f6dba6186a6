import type { ShellWord } from "./shell-script.ts";

/** What a program that runs another one runs. */
export interface Wrapped {
  /** Commands by their words, with the place of the first one among the words of the wrapper. */
  readonly commands: readonly { readonly words: readonly ShellWord[]; readonly at: number }[];
  /** Texts that a shell will read. */
  readonly scripts: readonly string[];
  /** Names of variables that it sets for what it runs. */
  readonly assignments: readonly string[];
  /** Why the wrapper is asked about whatever it runs; undefined where it adds nothing of its own. */
  readonly why?: string;
}

/** Words of an unclear wrapper that are looked at. It is never allowed by itself, so this is for what is denied. */
const MOST_WORDS = 40;
const UNKNOWN: ShellWord = { text: "…" };
const nothing = (why: string): Wrapped => ({ commands: [], scripts: [], assignments: [], why });

interface Options {
  /** Options without a value, and those that take the next word (or what follows `=`, or the rest of the word). */
  readonly plain?: RegExp;
  readonly valued?: RegExp;
  /** Words between the options and the command. */
  readonly skip?: number;
  readonly assigns?: boolean;
  readonly why?: string;
  /** Whether the command's arguments come from elsewhere as well. */
  readonly more?: boolean;
}

/** Prefixes: `timeout 5 …`. An option that is not named here makes the wrapper unclear, and what is behind it is still looked at. */
const PREFIXES: Readonly<Record<string, Options>> = {
  env: {
    plain: /^(?:-|-i|-0|-v|--ignore-environment|--null|--debug)$/,
    valued: /^(?:-u|--unset|-C|--chdir)$/,
    assigns: true,
  },
  timeout: {
    plain: /^(?:--preserve-status|--foreground|-v|--verbose)$/,
    valued: /^(?:-s|--signal|-k|--kill-after)$/,
    skip: 1,
  },
  nice: { plain: /^(?:-\d+|--\d+)$/, valued: /^(?:-n|--adjustment)$/ },
  ionice: { plain: /^(?:-t|--ignore)$/, valued: /^(?:-c|--class|-n|--classdata)$/ },
  stdbuf: { valued: /^(?:-[ioe]|--input|--output|--error)$/ },
  time: { plain: /^(?:-p|--portability)$/ },
  command: { plain: /^-p$/ },
  builtin: {},
  nohup: { why: "nohup writes a file" },
  setsid: { plain: /^-[cfw]+$/, why: "setsid lets it outlive the step" },
  exec: { plain: /^-[cl]+$/, valued: /^-a$/, why: "exec replaces the shell" },
  sudo: {
    plain: /^(?:-[AbEeHiKknPSsv]+|--preserve-env(?:=.*)?|--non-interactive|--login|--shell)$/,
    valued: /^(?:-[ughpCrtTUDR]|--user|--group|--host|--prompt|--chdir|--chroot|--role|--type|--other-user)$/,
    assigns: true,
    why: "sudo runs it as another user",
  },
  doas: { plain: /^-[Lns]+$/, valued: /^-[uC]$/, why: "doas runs it as another user" },
  chroot: {
    valued: /^(?:--userspec|--groups)$/,
    plain: /^--skip-chdir$/,
    skip: 1,
    why: "chroot changes its root",
  },
  xargs: {
    plain: /^(?:-[0rtxp]+|--null|--no-run-if-empty|--verbose|--exit)$/,
    // Not --replace and --max-lines: their value is optional, so the next word may be the command.
    valued: /^(?:-[adEILnPs]|--arg-file|--delimiter|--max-args|--max-procs|--max-chars)$/,
    more: true,
  },
  busybox: { why: "busybox is every program" },
  toybox: { why: "toybox is every program" },
  strace: { why: "strace writes and attaches" },
  ltrace: { why: "ltrace writes and attaches" },
  flock: { plain: /^-[sxnu]+$/, valued: /^-[wE]$/, skip: 1, why: "flock makes a file" },
  npx: {
    plain: /^(?:-y|--yes|--no|--no-install|-q|--quiet|--)$/,
    valued: /^(?:-p|--package)$/,
    why: "npx fetches and runs packages",
  },
  bunx: { why: "bunx fetches and runs packages" },
  uvx: { why: "uvx fetches and runs packages" },
};

const SHELLS: ReadonlySet<string> = new Set(["sh", "bash", "dash", "ash", "zsh", "ksh", "mksh"]);

/** What `words` runs, if its program is one that runs others; undefined if it is not. */
export function unwrap(program: string, words: readonly ShellWord[]): Wrapped | undefined {
  if (SHELLS.has(program)) return shell(program, words);
  if (program === "find") return find(words);
  if (program === "git") return git(words);
  if (program === "eval") return { ...nothing("eval runs text"), scripts: joined(words, 1) };
  if (program === "trap" || program === "watch" || program === "parallel")
    return { ...nothing(`${program} runs text later`), ...suffixes(words), scripts: joined(words, 1) };
  if (program === "ssh" || program === "su" || program === "script")
    return { ...nothing(`${program} runs it elsewhere or as somebody else`), ...suffixes(words) };
  if (PACKAGE_RUNNERS.test(program)) return packageRunner(program, words);
  const options = Object.hasOwn(PREFIXES, program) ? PREFIXES[program] : undefined;
  if (options === undefined) return undefined;
  if (program === "command" && /^-[vV]/.test(words[1]?.value ?? ""))
    return { commands: [], scripts: [], assignments: [] };
  return prefix(program, options, words);
}

function prefix(program: string, options: Options, words: readonly ShellWord[]): Wrapped {
  const assignments: string[] = [];
  let skip = options.skip ?? 0;
  let i = 1;
  for (; i < words.length; i++) {
    const value = words[i]?.value;
    if (value === undefined) return unclear(program, words);
    if (value === "--") continue;
    const assigned = options.assigns === true ? /^([A-Za-z_][A-Za-z0-9_]*)=/.exec(value)?.[1] : undefined;
    if (assigned !== undefined) assignments.push(assigned);
    else if (options.plain?.test(value) === true) continue;
    else if (options.valued?.test(value) === true) i++;
    else if (attached(options.valued, value)) continue;
    else if (value.startsWith("-") && value !== "-") return unclear(program, words);
    else if (skip > 0) skip--;
    else break;
  }
  const inner = words.slice(i);
  const replaced = options.more === true ? inner.map(withoutPlaceholder) : inner;
  const command = options.more === true && replaced.length > 0 ? [...replaced, UNKNOWN] : replaced;
  return {
    commands: command.length === 0 ? [] : [{ words: command, at: i }],
    scripts: [],
    assignments,
    // Alone, env shows the environment and xargs echoes; the others do nothing.
    ...(options.why === undefined ? {} : { why: options.why }),
  };
}

/** `-n5`, `--signal=KILL`. */
function attached(valued: RegExp | undefined, value: string): boolean {
  if (valued === undefined) return false;
  const [long] = value.split("=", 1);
  if (value.startsWith("--")) return value.includes("=") && valued.test(long ?? "");
  return value.length > 2 && valued.test(value.slice(0, 2));
}

/** An option that is not known may take a value or not: a command is looked for behind every word. */
function unclear(program: string, words: readonly ShellWord[]): Wrapped {
  return { ...nothing(`an option of ${program} that is not known`), ...suffixes(words) };
}

/** Every word may be where a command begins, and one with spaces a text for a shell. */
function suffixes(words: readonly ShellWord[], from = 1): Pick<Wrapped, "commands" | "scripts"> {
  const looked = words.slice(from, from + MOST_WORDS);
  return {
    commands: looked.map((_, i) => ({ words: words.slice(from + i), at: from + i })),
    scripts: looked.flatMap(({ value }) => (value !== undefined && /\s/.test(value) ? [value] : [])),
  };
}

function joined(words: readonly ShellWord[], from: number): string[] {
  const rest = words.slice(from);
  return rest.length === 0 ? [] : [rest.map(({ value, text }) => value ?? text).join(" ")];
}

function withoutPlaceholder(word: ShellWord): ShellWord {
  return word.value === undefined || /\{\}|%/.test(word.value) ? { text: word.text } : word;
}

/** `sh -c TEXT`, with flags that do not read further files. */
function shell(program: string, words: readonly ShellWord[]): Wrapped {
  let text = false;
  for (let i = 1; i < words.length; i++) {
    const value = words[i]?.value;
    if (value === undefined) break;
    if (text && !/^[-+]/.test(value)) return { commands: [], scripts: [value], assignments: [] };
    if (/^[-+]o$/.test(value)) i++;
    else if (/^-[ceuxvf]+$/.test(value)) text ||= value.includes("c");
    else return { ...nothing(`${program} runs what this names`), ...suffixes(words) };
  }
  return nothing(`${program} runs what it reads`);
}

function find(words: readonly ShellWord[]): Wrapped {
  const commands: { words: readonly ShellWord[]; at: number }[] = [];
  words.forEach(({ value }, i) => {
    if (value === undefined || !/^-(?:exec|execdir|ok|okdir)$/.test(value)) return;
    const end = words.findIndex((word, j) => j > i && (word.value === ";" || word.value === "+"));
    const inner = words.slice(i + 1, end < 0 ? undefined : end).map(withoutPlaceholder);
    if (inner.length > 0) commands.push({ words: inner, at: i + 1 });
  });
  return { ...nothing("find can delete, write and run"), commands };
}

/** git itself is judged as any program; what its aliases and settings run is looked at as well. */
function git(words: readonly ShellWord[]): Wrapped | undefined {
  const scripts: string[] = [];
  words.forEach(({ value = "" }, i) => {
    const setting = value === "-c" ? (words[i + 1]?.value ?? "") : value.replace(/^(?:-c|--config-env=)/, "");
    const run = /^[A-Za-z][\w.-]*=!?(.*)$/s.exec(setting)?.[1];
    if (run !== undefined && (value === "-c" || value.startsWith("-c"))) scripts.push(run);
    if (/^(?:--exec|-x|--upload-pack|--receive-pack|--extcmd|-O|--open-files-in-pager)(?:=|$)/.test(value))
      scripts.push(value.includes("=") ? value.slice(value.indexOf("=") + 1) : (words[i + 1]?.value ?? ""));
  });
  // `git submodule foreach CMD`, `git bisect run CMD`.
  const at = words.findIndex(({ value }, i) => {
    const before = words[i - 1]?.value;
    return (value === "foreach" && before === "submodule") || (value === "run" && before === "bisect");
  });
  if (at >= 0) return { ...nothing("git runs what this names"), ...suffixes(words, at + 1) };
  return scripts.length === 0 ? undefined : { ...nothing("git runs what this names"), scripts };
}

const PACKAGE_RUNNERS = /^(?:npm|pnpm|yarn|bun|pipx|uv)$/;

/** `npm exec -- CMD`, `pnpm dlx CMD`, `uv run CMD`; their other subcommands are judged as any program. */
function packageRunner(program: string, words: readonly ShellWord[]): Wrapped | undefined {
  const at = words.findIndex(({ value }) => value !== undefined && /^(?:exec|x|dlx|run)$/.test(value));
  if (at < 0 || (words[at]?.value === "run" && /^(?:npm|pnpm|yarn|bun)$/.test(program))) return undefined;
  const first = words[at + 1]?.value === "--" ? at + 2 : at + 1;
  const why = `${program} runs packages`;
  if (words[first]?.value?.startsWith("-") !== false) return { ...nothing(why), ...suffixes(words, at + 1) };
  return { ...nothing(why), commands: [{ words: words.slice(first), at: first }] };
}
