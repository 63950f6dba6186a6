import { breakWords } from "./break-words.ts";
import { unpainted } from "./painted.ts";
import { padEnd, widthOf } from "./width.ts";

/** `Label:   value`, as `fields` writes it; or what stands further right below such a value. */
const LABELLED = /^[A-Z][\w ]*: {2,}(?=\S)/;
const BELOW = /^ {6,}(?=\S)/;
/** To be copied as it stands. */
const COMMAND = "agents ";
/** Narrower than that, a broken text is worse than what the terminal does to a long line. */
const LEAST = 20;

/**
 * Breaks long values between words for a terminal, so that they go on below where they began. Words stay whole, and all else (tables,
 * patches, documents) as it is; a pipe gets the same words on longer lines.
 */
export function fold(text: string, columns: number): string {
  return text
    .split("\n")
    .map((line) => foldLine(line, columns))
    .join("\n");
}

/** A name and what it is, two spaces apart; or a line of text. */
const HELP = /^ *\S+(?: \S+)* {2,}(?=\S)|^ */;

/** The same for help, whose lines are broken below the column that they belong to. */
export function foldHelp(text: string, columns: number): string {
  return text
    .split("\n")
    .map((line) => {
      const plain = unpainted(line);
      const lead = HELP.exec(plain)?.[0] ?? "";
      if (widthOf(plain) <= columns || !line.startsWith(lead) || columns - lead.length < LEAST) return line;
      return breakWords(line.slice(lead.length), columns - lead.length)
        .map((part, index) => `${index === 0 ? lead : padEnd("", lead.length)}${part}`)
        .join("\n");
    })
    .join("\n");
}

function foldLine(line: string, columns: number): string {
  const plain = unpainted(line);
  if (widthOf(plain) <= columns) return line;
  const lead = (LABELLED.exec(plain) ?? BELOW.exec(plain))?.[0];
  if (lead === undefined || !line.startsWith(lead) || columns - lead.length < LEAST) return line;
  if (plain.startsWith(COMMAND, lead.length)) return line;
  const lines = breakWords(line.slice(lead.length), columns - lead.length);
  return lines.map((part, index) => `${index === 0 ? lead : padEnd("", lead.length)}${part}`).join("\n");
}
