import type { JsonObject, JsonValue } from "@cleveragents/domain";
import { APPROVAL_EXTENSION, HITL_EXTENSION } from "@cleveragents/protocol";

/** What kagent's extension calls the gates that no tool call waits at. */
const NAMES: Readonly<Record<string, string>> = {
  start: "plan/execute",
  apply: "plan/apply",
  retry: "plan/execute",
  budget: "plan/budget",
};

/** What a task asks, in the words of kagent's extension `hitl/v1`: a yes or no to one call, or a question. */
function hitlRequest(ask: JsonObject): JsonObject {
  const { request_id: id = "", prompt = "", kind = "", details = {}, options = [] } = ask;
  if (kind === "question" || kind === "conflict") {
    const choices = (options as readonly JsonObject[]).map((option) => option["id"] ?? "");
    return {
      type: "ask_user_request",
      id,
      hint: prompt,
      questions: [{ question: prompt, choices, multiple: false }],
    };
  }
  const known = details as JsonObject;
  const args: JsonObject = {
    ...known,
    plan_id: ask["plan_id"] ?? "",
    ...(ask["digest"] === undefined ? {} : { digest: ask["digest"] }),
  };
  const name = known["tool"] ?? NAMES[String(kind)] ?? String(kind);
  return {
    type: "tool_approval_request",
    hint: prompt,
    tools: [{ id, call_id: known["call"] ?? id, name, args }],
  };
}

/** A result in which every request for an approval also stands in the form of kagent's extension. */
export function withHitl(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withHitl);
  if (typeof value !== "object" || value === null) return value;
  const copy: Record<string, unknown> = Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [name, withHitl(inner)]),
  );
  const metadata = copy["metadata"] as JsonObject | undefined;
  const ask = metadata?.[APPROVAL_EXTENSION];
  if (!isObject(ask) || ask["type"] !== "approval_request") return copy;
  const extensions = [...((copy["extensions"] as readonly string[] | undefined) ?? []), HITL_EXTENSION];
  return { ...copy, extensions, metadata: { ...metadata, [HITL_EXTENSION]: hitlRequest(ask) } };
}

/** An answer in that form; undefined for what is none, "unclear" for one that leaves open what it decides. */
export function hitlAnswer(
  value: JsonValue | undefined,
): { readonly requestId: string; readonly choice: string; readonly text?: string } | "unclear" | undefined {
  if (!isObject(value)) return undefined;
  if (value["type"] === "tool_approval_response") {
    const approval = onlyOne(value["approvals"]);
    const { id, approved, rejection_reason: reason } = isObject(approval) ? approval : {};
    if (typeof id !== "string" || typeof approved !== "boolean") return "unclear";
    const text = typeof reason === "string" && !approved ? { text: reason } : {};
    return { requestId: id, choice: approved ? "yes" : "no", ...text };
  }
  if (value["type"] === "ask_user_response") {
    const entry = onlyOne(value["answers"]);
    const choice = onlyOne(isObject(entry) ? (entry["answer"] ?? entry["answers"]) : entry);
    const { id } = value;
    if (typeof id !== "string" || typeof choice !== "string") return "unclear";
    return { requestId: id, choice };
  }
  return undefined;
}

function onlyOne(value: JsonValue | undefined): JsonValue | undefined {
  return Array.isArray(value) && value.length === 1 ? value[0] : undefined;
}

function isObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
