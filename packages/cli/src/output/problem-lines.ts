import type { RemoteError } from "@cleveragents/protocol";

type Facts = Record<string, unknown>;

/** What was looked for in vain, where the message does not say it. */
const MISSING = ["plan_id", "session_id"];

/**
 * What an error says beyond its message, one fact a line: what was not found, drifted files, those that cannot be merged and why, the refused path, and the mistakes in
 * parameters or in a document (`file:line: path: problem`, as editors and CI read it).
 */
export function problemLines({
  data,
  violations,
  reason,
  message,
}: Pick<RemoteError, "data" | "violations" | "reason" | "message">): string[] {
  if (violations.length > 0) return violations.map(violationLine);
  const facts: Facts = isRecord(data) ? data : {};
  const missing = MISSING.find((name) => reason.endsWith("NOT_FOUND") && text(facts[name]) !== undefined);
  if (missing !== undefined && !message.includes(String(facts[missing]))) return [String(facts[missing])];
  const drifted = Array.isArray(facts["files"]) ? facts["files"].filter(isRecord) : [];
  return drifted.map((file) => {
    const what =
      text(file["why"]) ?? `expected ${content(file["expected"])}  found ${content(file["found"])}`;
    return `${text(file["path"]) ?? "?"}  ${what}`;
  });
}

/** A violation of a document also has `file`, and `line` where that is known. */
function violationLine(violation: RemoteError["violations"][number]): string {
  const { file, line }: Facts = { ...violation };
  const place = text(file) === undefined ? "" : typeof line === "number" ? `${file}:${line}: ` : `${file}: `;
  return `${place}${violation.field === "" ? "" : `${violation.field}: `}${violation.description}`;
}

function content(hash: unknown): string {
  return typeof hash === "string" ? hash.replace(/^sha256:/, "").slice(0, 8) : "nothing";
}

function text(value: unknown): string | undefined {
  return typeof value === "string" ? value : undefined;
}

function isRecord(value: unknown): value is Facts {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
