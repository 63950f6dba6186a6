import { CliError } from "../cli-error.ts";
import { EXIT } from "../exit-codes.ts";

const WHOLE = /^[0-9A-HJKMNP-TV-Z]{26}$/i;
/** Ids of ours have no I, L, O and U, which most words have. */
const PART = /^[0-9A-HJKMNP-TV-Z]{6,25}$/i;
const LISTED = 10;

export interface NamedId {
  readonly id: string;
  /** What tells it from others, for people. */
  readonly about: string;
}

/** Whether an id is one of ours and whole. */
export function isWholeId(given: string): boolean {
  return WHOLE.test(given);
}

/**
 * The whole id for one that may be the beginning or the end of it, in any case. What is whole, too short, or fits none is left as it is, for
 * the server to judge: things may have ids of their caller's. Throws AMBIGUOUS_ID.
 */
export async function wholeId(
  given: string,
  plural: string,
  all: () => AsyncIterable<NamedId>,
): Promise<string> {
  if (isWholeId(given)) return given.toUpperCase();
  if (!PART.test(given)) return given;
  const part = given.toUpperCase();
  const fitting: NamedId[] = [];
  for await (const one of all()) {
    const id = one.id.toUpperCase();
    if (id === part) return one.id;
    if (id.startsWith(part) || id.endsWith(part)) fitting.push(one);
  }
  const [only, another] = fitting;
  if (another === undefined) return only?.id ?? given;
  const list = fitting.slice(0, LISTED).map(({ id, about }) => `  ${id}  ${about}`.trimEnd());
  const rest = fitting.length > list.length ? [`  and ${fitting.length - list.length} more`] : [];
  throw new CliError(
    "AMBIGUOUS_ID",
    [`"${given}" fits ${fitting.length} ${plural}:`, ...list, ...rest].join("\n"),
    {
      hint: `give its last eight characters: agents ${plural.replace(/s$/, "")} list has them`,
      exitCode: EXIT.USAGE,
    },
  );
}
