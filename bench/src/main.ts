import { progress } from "./library/rounds.ts";
import { rows } from "./rows/index.ts";

// `main.ts [NAME...]`: measures these rows, or all, and prints a line of JSON for each measurement.
const asked = process.argv.slice(2);
const unknown = asked.filter((name) => !rows.has(name));
if (unknown.length > 0) {
  progress(`there is no ${unknown.join(", ")}; there are: ${[...rows.keys()].join(", ")}`);
  process.exit(2);
}
for (const [name, row] of rows) {
  if (asked.length > 0 && !asked.includes(name)) continue;
  try {
    for await (const line of row()) process.stdout.write(`${JSON.stringify(line)}\n`);
  } catch (error) {
    progress(`${name} could not be measured: ${error instanceof Error ? error.stack : error}`);
    process.exitCode = 1;
  }
}
