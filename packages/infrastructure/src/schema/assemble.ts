import type { Artifact, JsonObject, Message, Part, TaskEvent } from "@cleveragents/domain";

/**
 * An artifact put together from its chunks: bodies of its events in order, from the newest one that replaces on.
 * Parts follow each other. Of name, description and extensions the last that was said counts; metadata is
 * overlaid key by key.
 */
export function assembleArtifact(bodies: Iterable<string>): Artifact | undefined {
  let whole: Omit<Artifact, "parts"> | undefined;
  const parts: Part[] = [];
  for (const body of bodies) {
    const { parts: more, ...chunk } = artifactOf(body);
    for (const part of more) parts.push(part);
    whole = whole === undefined ? chunk : overlay(whole, chunk);
  }
  return whole && { ...whole, parts };
}

/** The newest `length` messages of these events, oldest first. What was received comes before what was said to it. */
export function assembleHistory(bodies: Iterable<string>, length: number | undefined): readonly Message[] {
  const messages: Message[] = [];
  for (const body of bodies) {
    const event = JSON.parse(body) as TaskEvent;
    if (event.type !== "status") continue;
    if (event.received !== undefined) messages.push(event.received);
    if (event.message !== undefined) messages.push(event.message);
  }
  return length === undefined ? messages : length === 0 ? [] : messages.slice(-length);
}

function artifactOf(body: string): Artifact {
  const event = JSON.parse(body) as TaskEvent;
  if (event.type !== "artifact")
    throw new TypeError("an event with an artifact id that is no artifact event");
  return event.artifact;
}

function overlay(whole: Omit<Artifact, "parts">, chunk: Omit<Artifact, "parts">): Omit<Artifact, "parts"> {
  if (whole.metadata === undefined || chunk.metadata === undefined) return { ...whole, ...chunk };
  // A spread defines keys, so that a key named __proto__ stays a key.
  const metadata: JsonObject = { ...whole.metadata, ...chunk.metadata };
  return { ...whole, ...chunk, metadata };
}
