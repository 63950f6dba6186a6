import { z } from "zod";
import { AgentCardSchema } from "../schemas/agent-card.ts";
import { JsonObjectSchema, JsonSchema } from "../schemas/json.ts";
import { ArtifactSchema, MessageSchema, PartSchema } from "../schemas/message.ts";
import { DecisionNodeSchema } from "../schemas/plan.ts";
import { TaskPushNotificationConfigSchema } from "../schemas/push.ts";
import { ResourceNodeSchema } from "../schemas/registry.ts";
import { TaskSchema, TaskStatusSchema } from "../schemas/task.ts";

type JsonSchemaObject = Readonly<Record<string, unknown>>;

/** Objects that many methods speak of: they stand in the document once, under these names. */
const named = z.registry<{ id: string }>();
for (const [id, schema] of Object.entries({
  AgentCard: AgentCardSchema,
  Artifact: ArtifactSchema,
  DecisionNode: DecisionNodeSchema,
  Json: JsonSchema,
  JsonObject: JsonObjectSchema,
  Message: MessageSchema,
  Part: PartSchema,
  ResourceNode: ResourceNodeSchema,
  Task: TaskSchema,
  TaskPushNotificationConfig: TaskPushNotificationConfigSchema,
  TaskStatus: TaskStatusSchema,
}))
  named.add(schema, { id });

/** Writes zod schemas as JSON Schema, and keeps aside what goes by a name. */
export class SchemaWriter {
  readonly components = new Map<string, JsonSchemaObject>();

  /** What may be written: a peer that reads is not asked for more than one that writes. */
  write(schema: z.ZodType): JsonSchemaObject {
    const {
      $schema: _,
      definitions = {},
      ...written
    } = z.toJSONSchema(schema, {
      io: "input",
      // What OpenRPC's schema objects are.
      target: "draft-7",
      metadata: named,
    });
    for (const [name, definition] of Object.entries(definitions as Record<string, JsonSchemaObject>)) {
      const { id: __, ...plain } = definition;
      this.components.set(name, inComponents(plain));
    }
    return inComponents(written);
  }
}

function inComponents(schema: object): JsonSchemaObject {
  return JSON.parse(JSON.stringify(schema), (key, value: unknown) =>
    key === "$ref" && typeof value === "string"
      ? value.replace("#/definitions/", "#/components/schemas/")
      : value,
  ) as JsonSchemaObject; // of an object
}
