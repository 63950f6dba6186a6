import { bytes as bytesText } from "../output/words.ts";
import {
  type ArtifactView,
  type EventView,
  hasSucceeded,
  isInterrupted,
  isTerminal,
  type MessageView,
  type PartView,
  type TaskView,
} from "./answers.ts";

/** Where the next command finds the agent again. */
export interface Continuing {
  /** Flags that name the agent, ready to be copied. */
  readonly flags: string;
  readonly verbose: boolean;
}

/**
 * Tasks for people and pipes (a2a-cli §11.2): one `Label: value` a line; content that needs more lines stands below its
 * label and ends with an empty line. An empty line inside of it is given as one with a space, so that none ends it early.
 */
export function taskText(task: TaskView, continuing: Continuing, streams = false): string {
  return [
    ...taskFields(task),
    ...(task.message === undefined ? [] : partLines(task.message.parts, continuing)),
    ...task.artifacts.flatMap((artifact) => artifactLines(artifact, continuing)),
    ...(continuing.verbose
      ? task.history.flatMap((message) => [
          field("History", `${message.role} ${message.id}`),
          ...partLines(message.parts, continuing),
        ])
      : []),
    ...nextLine(task, continuing, streams),
  ].join("\n");
}

function taskFields({ id, contextId, state, timestamp }: TaskView): string[] {
  return [
    field("Task", id),
    field("Context", contextId),
    field("State", state),
    ...(timestamp === undefined ? [] : [field("Updated", timestamp)]),
  ];
}

export function messageText(message: MessageView, continuing: Continuing): string {
  const { contextId } = message;
  return [
    field("Message", message.id),
    ...(message.taskId === "" ? [] : [field("Task", message.taskId)]),
    ...(contextId === "" ? [] : [field("Context", contextId)]),
    ...partLines(message.parts, continuing),
    ...(contextId === ""
      ? []
      : [field("Next", `agents a2a send ${continuing.flags} --context-id ${quoted(contextId)} "TEXT"`)]),
  ].join("\n");
}

/** An element of a stream, with what is needed to go on after it. */
export function eventText(event: EventView, continuing: Continuing, streams = false): string {
  switch (event.kind) {
    case "task":
      return taskText(event.task, continuing, streams);
    case "message":
      return messageText(event.message, continuing);
    case "status":
      return [
        field("Task", event.taskId),
        field("Context", event.contextId),
        field("State", event.state),
        ...(event.message === undefined ? [] : partLines(event.message.parts, continuing)),
        ...nextLine({ id: event.taskId, contextId: event.contextId, state: event.state }, continuing, true),
      ].join("\n");
    case "artifact":
      return [
        field("Task", event.taskId),
        field("Context", event.contextId),
        ...artifactLines(event.artifact, continuing, event.append),
      ].join("\n");
    case "unknown":
      return field("Event", "of a kind that this command does not know; -o json shows it");
  }
}

function artifactLines(
  { id, name, description, parts }: ArtifactView,
  continuing: Continuing,
  append = false,
): string[] {
  return [
    field("Artifact", `${id}${name === undefined ? "" : ` (${name})`}${append ? ", continued" : ""}`),
    ...(description === undefined ? [] : [field("Description", description)]),
    ...partLines(parts, continuing),
  ];
}

function partLines(parts: readonly PartView[], { verbose }: Continuing): string[] {
  return parts.flatMap((part) => {
    if (part.kind === "file") return [field("File", fileWords(part))];
    const type = verbose && part.mediaType !== undefined ? [field("Media-Type", part.mediaType)] : [];
    if (part.kind === "text") return [...type, ...block("Text", part.text)];
    return [...type, ...block("Data", JSON.stringify(part.data, null, 2) ?? "null")];
  });
}

function fileWords({ name, mediaType, bytes, url }: Extract<PartView, { kind: "file" }>): string {
  const size = bytes === undefined ? undefined : bytesText(Buffer.byteLength(bytes, "base64"));
  return [name ?? "(no name)", mediaType ?? "unknown type", size, url]
    .filter((word) => word !== undefined)
    .join(", ");
}

function nextLine(
  { id, contextId, state }: Pick<TaskView, "id" | "contextId" | "state">,
  { flags }: Continuing,
  onlyAtRest = false,
): string[] {
  if (isInterrupted(state))
    return [field("Next", `agents a2a send ${flags} --task-id ${quoted(id)} "REPLY"`)];
  if (isTerminal(state))
    return contextId === ""
      ? []
      : [field("Next", `agents a2a send ${flags} --context-id ${quoted(contextId)} "TEXT"`)];
  return onlyAtRest ? [] : [field("Next", `agents a2a task get ${flags} ${quoted(id)} --wait`)];
}

/** What is worth a warning: an end that is none to be glad of, or somebody who waits. */
export function outcomeWarning(state: string): string | undefined {
  if (isInterrupted(state)) return `the task waits for you: ${state}`;
  return isTerminal(state) && !hasSucceeded(state) ? `the task ended as ${state}` : undefined;
}

export function field(label: string, value: string): string {
  return `${label}: ${value.replace(/\s*\n\s*/g, " ").trim()}`.trimEnd();
}

function block(label: string, content: string): string[] {
  const lines = content.replace(/\n$/, "").split("\n");
  return [`${label}:`, ...lines.map((line) => (line === "" ? " " : line)), ""];
}

/** A word as a shell reads it. */
export function quoted(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}
