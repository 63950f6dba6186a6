import type { ResultOf } from "@cleveragents/protocol";
import { bytes } from "./words.ts";

type Message = ResultOf<"_cleveragents/session/show">["recent_messages"][number];

/** What somebody said, behind who it was. */
export function saidText(role: Message["role"], parts: Message["parts"]): string {
  return `${role === "ROLE_USER" ? "You" : "Agent"}: ${partsText(parts)}`;
}

/** Text as it is; of files, what they are; data where nothing is said beside it, since that says the same for people. */
export function partsText(parts: Message["parts"]): string {
  const said = parts.some(({ text }) => text !== undefined && text !== "");
  return parts
    .filter(({ data }) => data === undefined || !said)
    .map((part) => {
      if (part.text !== undefined) return part.text;
      const name = part.filename === undefined ? "" : `${part.filename}, `;
      if (part.url !== undefined) return `[${name}${part.url}]`;
      if (part.raw !== undefined) return `[${name}${bytes(Math.floor((part.raw.length * 3) / 4))}]`;
      return JSON.stringify(part.data);
    })
    .join("\n");
}
