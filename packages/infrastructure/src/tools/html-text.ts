import { Parser } from "htmlparser2";

const SKIPPED: ReadonlySet<string> = new Set([
  "script",
  "title",
  "style",
  "noscript",
  "svg",
  "template",
  "head",
  "iframe",
]);
const BLOCKS: ReadonlySet<string> = new Set(
  "address article aside blockquote br dd div dl dt fieldset figcaption figure footer form h1 h2 h3 h4 h5 h6 header hr li main nav ol p pre section table tbody thead tr ul".split(
    " ",
  ),
);

/** What a person would read of a page: its text, a line for each block, headings and items marked, links with their address. */
export function htmlText(html: string): string {
  let text = "";
  let skipped = 0;
  let verbatim = 0;
  const links: (string | undefined)[] = [];
  const newLine = () => {
    if (text !== "" && !text.endsWith("\n")) text += "\n";
  };
  const parser = new Parser({
    onopentag(name, { href }) {
      if (SKIPPED.has(name)) skipped += 1;
      if (skipped > 0) return;
      if (BLOCKS.has(name)) newLine();
      if (name === "pre") verbatim += 1;
      if (/^h[1-6]$/.test(name)) text += `${"#".repeat(Number(name[1]))} `;
      if (name === "li") text += "- ";
      if (name === "td" || name === "th") text += text.endsWith("\n") || text === "" ? "" : " | ";
      if (name === "a") links.push(href);
    },
    ontext(data) {
      if (skipped > 0) return;
      const run = verbatim > 0 ? data : data.replace(/\s+/g, " ");
      text += /\s$/.test(text) || text === "" ? (verbatim > 0 ? run : run.trimStart()) : run;
    },
    onclosetag(name) {
      if (SKIPPED.has(name)) {
        skipped = Math.max(0, skipped - 1);
        return;
      }
      if (skipped > 0) return;
      if (name === "a") {
        const href = links.pop();
        if (href !== undefined && /^https?:/.test(href)) text += ` (${href})`;
      }
      if (name === "pre") verbatim = Math.max(0, verbatim - 1);
      if (BLOCKS.has(name)) newLine();
    },
  });
  parser.write(html);
  parser.end();
  return text
    .replace(/[ \t]+\n/g, "\n")
    .replace(/\n{3,}/g, "\n\n")
    .trim();
}
