import { type BudgetLimits, BudgetSchema, type JsonObject, type Message } from "@cleveragents/domain";
import { type FieldViolation, MessageSchema, ProtocolError } from "@cleveragents/protocol";
import { z } from "zod";
import { fromWireMessage } from "../wire/message.ts";
import { checksumOf } from "./session-export.ts";

const IdSchema = z.string().min(1).max(256);
/** How documents of before were written: who said what, and no more. */
const PlainMessageSchema = z.object({
  role: z.enum(["user", "assistant", "agent", "system", "tool"]),
  content: z.string().optional(),
  text: z.string().optional(),
  message_id: IdSchema.optional(),
});
const LinkedPlanSchema = z.looseObject({ plan_id: IdSchema });
const TaskSchema = z.looseObject({ task_id: IdSchema });

const DocumentSchema = z.object({
  session_id: IdSchema,
  name: z.string().max(200).nullish(),
  actor_name: z.string().min(1).nullish(),
  budget: BudgetSchema.nullish(),
  metadata: z.record(z.string(), z.json()).nullish(),
  messages: z.array(z.union([MessageSchema, PlainMessageSchema])).default([]),
  tasks: z.array(TaskSchema).default([]),
  linked_plan_ids: z.array(IdSchema).default([]),
  linked_plans: z.array(LinkedPlanSchema).default([]),
});

const VERSIONS = ["v3", "1.0"];

export interface Imported {
  /** What the document calls the session. */
  readonly sessionId: string;
  readonly version: string;
  readonly checksum: string;
  readonly name: string | undefined;
  readonly actor: string | undefined;
  readonly budget: BudgetLimits | undefined;
  readonly metadata: JsonObject | undefined;
  readonly messages: number;
  readonly plans: number;
  /** What is kept of it beside the session. */
  readonly record: JsonObject;
}

/**
 * Reads an exported document. Its messages are kept as what was said elsewhere; its tasks and plans as references: a
 * file makes nothing that could be carried out, approved or applied here. Throws `InvalidParams` naming what is wrong.
 */
export async function importedSession(document: JsonObject): Promise<Imported> {
  const version = document["schema_version"];
  if (typeof version !== "string" || !VERSIONS.includes(version))
    throw refused(
      "schema_version",
      `versions ${VERSIONS.join(" and ")} can be read`,
      "SCHEMA_VERSION_UNKNOWN",
    );
  const given = document["checksum"];
  const checksum = await checksumOf(document);
  if (typeof given !== "string" || `sha256:${given.replace(/^sha256:/, "").toLowerCase()}` !== checksum)
    throw refused(
      "checksum",
      given === undefined ? "there is none" : "it is another document's: this one was changed or cut off",
      "CHECKSUM_MISMATCH",
    );
  const read = DocumentSchema.safeParse(document);
  if (!read.success) throw invalid(read.error);
  const { session_id, name, actor_name, budget, metadata, messages, tasks, ...linked } = read.data;
  const plans = [
    ...linked.linked_plans,
    ...linked.linked_plan_ids
      .filter((id) => linked.linked_plans.every(({ plan_id }) => plan_id !== id))
      .map((plan_id) => ({ plan_id })),
  ];
  const said = messages.map((message, index) => toMessage(message, `${session_id}/${index + 1}`));
  return {
    sessionId: session_id,
    version,
    checksum,
    name: name ?? undefined,
    actor: actor_name ?? undefined,
    budget: (budget ?? undefined) as BudgetLimits | undefined,
    metadata: (metadata ?? undefined) as JsonObject | undefined,
    messages: said.length,
    plans: plans.length,
    record: JSON.parse(
      JSON.stringify({ imported_from: session_id, checksum, messages: said, tasks, linked_plans: plans }),
    ) as JsonObject,
  };
}

function toMessage(
  message: z.output<typeof MessageSchema> | z.output<typeof PlainMessageSchema>,
  messageId: string,
): Message {
  if ("parts" in message) return fromWireMessage(message);
  const { role, content, text, message_id } = message;
  return {
    messageId: message_id ?? messageId,
    role: role === "user" ? "user" : "agent",
    parts: [{ kind: "text", text: content ?? text ?? "" }],
    // A model's instructions are not what the agent has said.
    ...(role === "system" || role === "tool" ? { metadata: { role } } : {}),
  };
}

function refused(field: string, description: string, reason: string): ProtocolError {
  return new ProtocolError("InvalidParams", {
    reason,
    message: `The document cannot be imported: ${field}: ${description}`,
    violations: [{ field: `document.${field}`, description }],
  });
}

function invalid(error: z.ZodError): ProtocolError {
  const violations: FieldViolation[] = error.issues.slice(0, 20).map(({ path, message }) => ({
    field: ["document", ...path.map(String)].join("."),
    description: message,
  }));
  return new ProtocolError("InvalidParams", { violations });
}
