/**
 * Programs that under no flag, and with no arguments, write a file, run another program or reach the network. What
 * has one such flag is not here, however harmless its usual use is: `find` (-delete, -exec), `sort` (-o,
 * --compress-program), `uniq` (its second file is written), `diff` (-l runs pr), `sed` (-i, w, e), `awk` (system, |),
 * `tar` (--to-command), `rg` (--pre), `git` (what its configuration names), `less` and `man` (!), `tree` (-o), `xxd`
 * (its second file), `date` and `hostname` (they set), `file` (-C), `tee`, `printf` and `test` (bash: -v sets, or
 * evaluates). Programs by which another one is run are in `wrappers.ts`.
 */
export const HARMLESS_PROGRAMS: ReadonlySet<string> = new Set([
  ":",
  "arch",
  "b2sum",
  "base32",
  "base64",
  "basename",
  "cat",
  "cd",
  "cksum",
  "cmp",
  "comm",
  "cut",
  "dirname",
  "du",
  "echo",
  "egrep",
  "expand",
  "factor",
  "false",
  "fgrep",
  "fold",
  "grep",
  "groups",
  "head",
  "id",
  "join",
  "ls",
  "md5sum",
  "nl",
  "nproc",
  "numfmt",
  "od",
  "paste",
  "printenv",
  "pwd",
  "readlink",
  "realpath",
  "rev",
  "seq",
  "sha1sum",
  "sha224sum",
  "sha256sum",
  "sha384sum",
  "sha512sum",
  "sleep",
  "stat",
  "sum",
  "tac",
  "tail",
  "tr",
  "true",
  "tsort",
  "tty",
  "uname",
  "unexpand",
  "wc",
  "which",
  "whoami",
]);

/** Variables that change how a harmless program writes its output, and nothing about what is run. */
const HARMLESS_VARIABLES = /^(?:LANG|LC_[A-Z]+|TZ|TERM|CI|NO_COLOR|FORCE_COLOR|COLUMNS|LINES)$/;
/** Names that nobody but the script itself uses. */
const OWN_VARIABLES = /^[a-z_][a-z0-9_]*$/;

export function isHarmlessVariable(name: string, forCommand: boolean): boolean {
  return HARMLESS_VARIABLES.test(name) || (!forCommand && OWN_VARIABLES.test(name));
}
