import { DEMANDED_LEVELS, type JsonObject, type JsonValue, type Message } from "@cleveragents/domain";
import { ProtocolError } from "@cleveragents/protocol";
import type { WrittenDemand } from "../plans/isolation.ts";

export interface ActionCall {
  readonly action: string;
  readonly arguments: JsonObject;
  readonly project?: string;
  readonly workingDirectory?: string;
  readonly profile?: string;
  readonly environment?: string;
  readonly requireIsolation?: WrittenDemand;
}

/** The action call in a message: its first data part with an `action_name` (or `action`); other messages have none. */
export function readActionCall(message: Message): ActionCall | undefined {
  for (const part of message.parts) {
    if (part.kind !== "data" || !isObject(part.data)) continue;
    const data = part.data;
    const action = text(data["action_name"]) ?? text(data["action"]);
    if (action === undefined) continue;
    const project = text(data["project"]);
    const workingDirectory = text(data["working_directory"]);
    const profile = text(data["automation_profile"]);
    const environment = text(data["environment"]);
    const requireIsolation = demand(data["require_isolation"]);
    return {
      action,
      arguments: isObject(data["arguments"]) ? data["arguments"] : {},
      ...(project === undefined ? {} : { project }),
      ...(workingDirectory === undefined ? {} : { workingDirectory }),
      ...(profile === undefined ? {} : { profile }),
      ...(environment === undefined ? {} : { environment }),
      ...(requireIsolation === undefined ? {} : { requireIsolation }),
    };
  }
  return undefined;
}

function isObject(value: JsonValue | undefined): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** A demand that is not understood must not be taken for none. */
function demand(value: JsonValue | undefined): WrittenDemand {
  if (value === undefined || value === null) return undefined;
  if (typeof value === "boolean") return value;
  const level = DEMANDED_LEVELS.find((known) => known === value);
  if (level !== undefined) return level;
  throw new ProtocolError("InvalidParams", {
    violations: [
      {
        field: "message.parts",
        description: `"require_isolation" is true, false, ${DEMANDED_LEVELS.join(" or ")}`,
      },
    ],
  });
}

function text(value: JsonValue | undefined): string | undefined {
  return typeof value === "string" && value !== "" ? value : undefined;
}
