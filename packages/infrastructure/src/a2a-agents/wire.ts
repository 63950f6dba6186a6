import type { RemoteRest } from "@cleveragents/application";
import type { Artifact, JsonObject, JsonValue, Part } from "@cleveragents/domain";

type Json = Readonly<Record<string, unknown>>;

/** Elements of A2A 1.0 as JSON. They come from strangers, so nothing is taken for granted and no part is left out. */
export function toParts(value: unknown): readonly Part[] {
  return listOf(value).map(toPart);
}

export function toArtifact(value: unknown): Artifact {
  const artifact = objectOf(value);
  const name = textOf(artifact["name"]);
  const description = textOf(artifact["description"]);
  return {
    artifactId: textOf(artifact["artifactId"]) ?? "artifact",
    parts: toParts(artifact["parts"]),
    ...(name === undefined ? {} : { name }),
    ...(description === undefined ? {} : { description }),
  };
}

export function fromParts(parts: readonly Part[]): readonly JsonObject[] {
  return parts.map((part) => ({
    ...(part.mediaType === undefined ? {} : { mediaType: part.mediaType }),
    ...(part.filename === undefined ? {} : { filename: part.filename }),
    ...(part.metadata === undefined ? {} : { metadata: part.metadata }),
    ...contentOf(part),
  }));
}

/** Undefined while there is more to come. */
export function toRest(state: unknown): RemoteRest | undefined {
  const word = String(state)
    .replace(/^TASK_STATE_/, "")
    .toLowerCase()
    .replaceAll("_", "-");
  return RESTS.find((rest) => rest === (word === "cancelled" ? "canceled" : word));
}

export function objectOf(value: unknown): Json {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Json) : {};
}

export function listOf(value: unknown): readonly Json[] {
  return Array.isArray(value) ? value.map(objectOf) : [];
}

export function textOf(value: unknown): string | undefined {
  return typeof value === "string" && value !== "" ? value : undefined;
}

const RESTS: readonly RemoteRest[] = [
  "completed",
  "failed",
  "canceled",
  "rejected",
  "input-required",
  "auth-required",
];

function toPart(part: Json): Part {
  const mediaType = textOf(part["mediaType"]);
  const filename = textOf(part["filename"]);
  const frame = {
    ...(mediaType === undefined ? {} : { mediaType }),
    ...(filename === undefined ? {} : { filename }),
  };
  if (typeof part["text"] === "string") return { ...frame, kind: "text", text: part["text"] };
  if (typeof part["raw"] === "string") return { ...frame, kind: "bytes", bytes: part["raw"] };
  if (typeof part["url"] === "string") return { ...frame, kind: "url", url: part["url"] };
  return { ...frame, kind: "data", data: (part["data"] ?? part) as JsonValue }; // it was read as JSON
}

function contentOf(part: Part): JsonObject {
  switch (part.kind) {
    case "text":
      return { text: part.text };
    case "bytes":
      return { raw: part.bytes };
    case "url":
      return { url: part.url };
    case "data":
      return { data: part.data };
  }
}
