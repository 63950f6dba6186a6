import type { AgentSkillSpec, SkillDiagnostic, SkillStep } from "@cleveragents/domain";
import {
  bulletsOf,
  type MarkdownLine,
  type MarkdownSection,
  markdownSections,
  paragraphOf,
  textOf,
} from "./markdown-sections.ts";
import { commandsIn, inlineCommands } from "./skill-commands.ts";

const STEPS = /^(?:steps|workflow|procedure|instructions)$/i;
const DONE = /^(?:definition of done|done when|success criteria|acceptance criteria)$/i;
const NUMBERED = /^(?:step[ \t]+)?\d{1,6}[.):][ \t]*(.*)$/i;
/** Without a heading above them, steps have to say that they are some. */
const SURELY_A_STEP = /^(?:step[ \t]+\d{1,6}\b|\d{1,6}[.)][ \t])/i;
const MOST = 200;

export interface SkillBody {
  readonly title?: string;
  readonly description?: string;
  readonly steps: readonly SkillStep[];
  readonly definitionOfDone: AgentSkillSpec["definitionOfDone"];
  readonly diagnostics: readonly SkillDiagnostic[];
}

/** What stands in the text of a skill. `firstLine`: the line of the file that it begins in. */
export function readBody(body: string, firstLine: number): SkillBody {
  const { sections, unclosed } = markdownSections(body);
  const first = sections.find(({ level }) => level === 1);
  const about = sections.find(({ level, title }) => level === 2 && /^description$/i.test(title));
  const done = sections.find(({ level, title }) => level === 2 && DONE.test(title));
  const description = paragraphOf(about?.lines ?? []) ?? paragraphOf(first?.lines ?? []);
  return {
    ...(first === undefined || first.title === "" ? {} : { title: first.title }),
    ...(description === undefined ? {} : { description }),
    steps: stepsOf(sections)
      .slice(0, MOST)
      .map(({ title, lines }, at) => ({
        index: at + 1,
        title: title === "" ? `Step ${at + 1}` : title,
        instructions: textOf(lines),
        commands: commandsIn([{ text: title, line: 0 }, ...lines]),
      })),
    definitionOfDone: bulletsOf(done?.lines ?? [])
      .slice(0, MOST)
      .map(({ text }) => ({ text, commands: inlineCommands(text, false) })),
    diagnostics:
      unclosed === undefined
        ? []
        : [
            {
              level: "warning",
              code: "code-unclosed",
              message: "a block of code has no end, so that everything below is in it",
              line: firstLine + unclosed - 1,
            },
          ],
  };
}

type Found = { readonly title: string; readonly lines: readonly MarkdownLine[] };

function stepsOf(sections: readonly MarkdownSection[]): Found[] {
  const at = sections.findIndex(({ level, title }) => level === 2 && STEPS.test(title));
  const below = at < 0 ? [] : belowHeading(sections, at);
  if (below.length > 0) return below;
  const points = at < 0 ? [] : bulletsOf((sections[at] as MarkdownSection).lines);
  if (points.length > 0) return points.map(({ text }) => ({ title: text, lines: [] }));
  return sections
    .filter(({ level, title }) => (level === 2 || level === 3) && SURELY_A_STEP.test(title))
    .map(({ title, lines }) => ({ title: withoutNumber(title), lines }));
}

/** The headings below that of the steps, with what is below them; then those of its own level that are numbered. */
function belowHeading(sections: readonly MarkdownSection[], at: number): Found[] {
  const steps: { title: string; lines: MarkdownLine[] }[] = [];
  for (const { level, title, lines, line } of sections.slice(at + 1)) {
    if (level < 2 || (level === 2 && !SURELY_A_STEP.test(title))) break;
    const step = steps.at(-1);
    if (level > 3 && step !== undefined) {
      step.lines.push({ text: `${"#".repeat(level)} ${title}`, line }, ...lines);
    } else steps.push({ title: withoutNumber(title), lines: [...lines] });
  }
  return steps;
}

function withoutNumber(title: string): string {
  return (NUMBERED.exec(title)?.[1] ?? title).trim();
}
