export { UnbashShellParser } from "./unbash-shell-parser.ts";
