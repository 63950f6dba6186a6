const LAST_WORDS = 400;

/** The last lines of what a server has said, for a message in one line; of an error of Node, the one that names it. */
export function lastWords(stderr: string): string {
  const lines = stderr
    .split(/[\r\n]+/)
    .map((line) => line.trim())
    .filter((line) => line !== "");
  const thrown = lines.at(-1)?.startsWith("Node.js v")
    ? lines.findLast((line) => NAMED.test(line))
    : undefined;
  const words = thrown ?? lines.slice(-3).join(" | ");
  return words.length <= LAST_WORDS ? words : `…${words.slice(-LAST_WORDS)}`;
}

/** Node prints what was thrown before its stack, its fields and its own version. */
const NAMED = /^(Uncaught )?\w*Error( \[\w+\])?: /;
