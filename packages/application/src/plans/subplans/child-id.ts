import { sha256 } from "../../tools/call-key.ts";

const ALPHABET = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";
const TIME = 10;

/**
 * The id of a plan that another one starts: always the same for the same try, so that whoever starts it again after a
 * crash finds it there. It has the time of the plan that starts it.
 */
export async function childId(
  parentId: string,
  place: { step: number; name: string; attempt: number; tries: number },
): Promise<string> {
  const { step, name, attempt, tries } = place;
  const digest = await sha256(JSON.stringify([parentId, step, name, attempt, tries]));
  const letters = Array.from(
    { length: 16 },
    (_, at) => ALPHABET[Number.parseInt(digest.slice(at * 2, at * 2 + 2), 16) % 32],
  );
  const time = /^[0-7][0-9A-HJKMNP-TV-Z]{25}$/.test(parentId) ? parentId.slice(0, TIME) : "0".repeat(TIME);
  return `${time}${letters.join("")}`;
}
