import type { Artifact, Message, Part } from "@cleveragents/domain";
import type { ArtifactSchema, MessageSchema, PartSchema } from "@cleveragents/protocol";
import type { z } from "zod";

export type WirePart = z.output<typeof PartSchema>;
export type WireMessage = z.output<typeof MessageSchema>;
export type WireArtifact = z.output<typeof ArtifactSchema>;

/** A2A 1.0 messages and parts ↔ the domain's. Pure, and each the inverse of the other. */
export function fromWirePart(part: WirePart): Part {
  const frame = compact({ mediaType: part.mediaType, filename: part.filename, metadata: part.metadata });
  if (part.text !== undefined) return { ...frame, kind: "text", text: part.text };
  if (part.raw !== undefined) return { ...frame, kind: "bytes", bytes: part.raw };
  if (part.url !== undefined) return { ...frame, kind: "url", url: part.url };
  return { ...frame, kind: "data", data: part.data ?? null };
}

export function toWirePart(part: Part): WirePart {
  if (part.kind === "text" && isBare(part)) return { text: part.text } as WirePart;
  const frame = compact({
    mediaType: part.mediaType,
    filename: part.filename,
    metadata: part.metadata,
  }) as Partial<WirePart>;
  switch (part.kind) {
    case "text":
      return { ...frame, text: part.text } as WirePart;
    case "bytes":
      return { ...frame, raw: part.bytes } as WirePart;
    case "url":
      return { ...frame, url: part.url } as WirePart;
    case "data":
      return { ...frame, data: part.data } as WirePart;
  }
}

/** Nearly every part has nothing beside its content. */
function isBare({ mediaType, filename, metadata }: Part): boolean {
  return mediaType === undefined && filename === undefined && metadata === undefined;
}

export function fromWireMessage(message: WireMessage): Message {
  return {
    messageId: message.messageId,
    role: message.role === "ROLE_USER" ? "user" : "agent",
    parts: message.parts.map(fromWirePart),
    ...compact({
      contextId: message.contextId,
      taskId: message.taskId,
      referenceTaskIds: message.referenceTaskIds,
      extensions: message.extensions,
      metadata: message.metadata,
    }),
  };
}

export function toWireMessage(message: Message): WireMessage {
  return {
    messageId: message.messageId,
    role: message.role === "user" ? "ROLE_USER" : "ROLE_AGENT",
    parts: message.parts.map(toWirePart),
    ...compact({
      contextId: message.contextId,
      taskId: message.taskId,
      referenceTaskIds: message.referenceTaskIds,
      extensions: message.extensions,
      metadata: message.metadata,
    }),
  } as WireMessage;
}

export function toWireArtifact(artifact: Artifact): WireArtifact {
  return {
    artifactId: artifact.artifactId,
    parts: artifact.parts.map(toWirePart),
    ...compact({
      name: artifact.name,
      description: artifact.description,
      extensions: artifact.extensions,
      metadata: artifact.metadata,
    }),
  } as WireArtifact;
}

/** Without the members that are undefined, so that nothing absent is written. */
export function compact<T extends object>(object: T): { [K in keyof T]?: Exclude<T[K], undefined> } {
  const present: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(object)) if (value !== undefined) present[name] = value;
  return present as never;
}
