/** What a peer of any version sent, as this command reads it; the JSON itself is what is printed. */
export interface TaskView {
  readonly id: string;
  readonly contextId: string;
  /** As received. */
  readonly state: string;
  readonly timestamp: string | undefined;
  readonly message: MessageView | undefined;
  readonly artifacts: readonly ArtifactView[];
  readonly history: readonly MessageView[];
}

export interface MessageView {
  readonly id: string;
  readonly role: string;
  readonly contextId: string;
  readonly taskId: string;
  readonly parts: readonly PartView[];
}

export interface ArtifactView {
  readonly id: string;
  readonly name: string | undefined;
  readonly description: string | undefined;
  readonly parts: readonly PartView[];
}

export type PartView =
  | { readonly kind: "text"; readonly text: string; readonly mediaType: string | undefined }
  | { readonly kind: "data"; readonly data: unknown; readonly mediaType: string | undefined }
  | {
      readonly kind: "file";
      readonly name: string | undefined;
      readonly mediaType: string | undefined;
      /** Base64. */
      readonly bytes: string | undefined;
      readonly url: string | undefined;
    };

export type EventView =
  | { readonly kind: "task"; readonly task: TaskView }
  | { readonly kind: "message"; readonly message: MessageView }
  | {
      readonly kind: "status";
      readonly taskId: string;
      readonly contextId: string;
      readonly state: string;
      readonly message: MessageView | undefined;
    }
  | {
      readonly kind: "artifact";
      readonly taskId: string;
      readonly contextId: string;
      readonly append: boolean;
      readonly artifact: ArtifactView;
    }
  | { readonly kind: "unknown" };

type Json = Readonly<Record<string, unknown>>;

export function readTask(value: unknown): TaskView {
  const task = objectOf(value);
  const status = objectOf(task["status"]);
  return {
    id: textOf(task["id"]) ?? "",
    contextId: textOf(task["contextId"]) ?? "",
    state: textOf(status["state"]) ?? "TASK_STATE_UNSPECIFIED",
    timestamp: textOf(status["timestamp"]),
    message: messageOf(status["message"]),
    artifacts: listOf(task["artifacts"]).map(readArtifact),
    history: listOf(task["history"]).map(readMessage),
  };
}

/** A result of sending, or an element of a stream: 1.0 says what it is by its member, 0.3 by `kind`. */
export function readEvent(value: unknown): EventView {
  const event = objectOf(value);
  const kind = textOf(event["kind"]);
  const of = (member: string, legacyKind: string) =>
    event[member] !== undefined ? objectOf(event[member]) : kind === legacyKind ? event : undefined;
  const task = of("task", "task");
  if (task !== undefined) return { kind: "task", task: readTask(task) };
  const message = of("message", "message");
  if (message !== undefined) return { kind: "message", message: readMessage(message) };
  const status = of("statusUpdate", "status-update");
  if (status !== undefined) {
    const { state, message: said, contextId } = readTask(status);
    return { kind: "status", taskId: textOf(status["taskId"]) ?? "", contextId, state, message: said };
  }
  const artifact = of("artifactUpdate", "artifact-update");
  if (artifact !== undefined)
    return {
      kind: "artifact",
      taskId: textOf(artifact["taskId"]) ?? "",
      contextId: textOf(artifact["contextId"]) ?? "",
      append: artifact["append"] === true,
      artifact: readArtifact(objectOf(artifact["artifact"])),
    };
  return { kind: "unknown" };
}

function readMessage(value: unknown): MessageView {
  const message = objectOf(value);
  return {
    id: textOf(message["messageId"]) ?? "",
    role: textOf(message["role"]) ?? "",
    contextId: textOf(message["contextId"]) ?? "",
    taskId: textOf(message["taskId"]) ?? "",
    // HTTP+JSON of 0.3 has the proto's name for them.
    parts: listOf(message["parts"] ?? message["content"]).map(readPart),
  };
}

function messageOf(value: unknown): MessageView | undefined {
  return value === undefined || value === null ? undefined : readMessage(value);
}

function readArtifact(value: unknown): ArtifactView {
  const artifact = objectOf(value);
  return {
    id: textOf(artifact["artifactId"]) ?? "",
    name: textOf(artifact["name"]),
    description: textOf(artifact["description"]),
    parts: listOf(artifact["parts"]).map(readPart),
  };
}

/** What is none of the known kinds is shown as data: no part is left out. */
function readPart(part: Json): PartView {
  const file = part["file"] === undefined ? part : objectOf(part["file"]);
  const mediaType = textOf(part["mediaType"]) ?? textOf(file["mimeType"]);
  if (typeof part["text"] === "string") return { kind: "text", text: part["text"], mediaType };
  const bytes = textOf(part["raw"]) ?? textOf(file["bytes"]) ?? textOf(file["fileWithBytes"]);
  const url = textOf(part["url"]) ?? textOf(file["uri"]) ?? textOf(file["fileWithUri"]);
  const name = textOf(part["filename"]) ?? textOf(file["name"]);
  if (part["file"] !== undefined || bytes !== undefined || url !== undefined || part["raw"] === "")
    return { kind: "file", name, mediaType, bytes: bytes ?? (url === undefined ? "" : undefined), url };
  return { kind: "data", data: "data" in part ? part["data"] : part, mediaType };
}

function bare(state: string): string {
  return state
    .toUpperCase()
    .replaceAll("-", "_")
    .replace(/^TASK_STATE_/, "");
}

export function isTerminal(state: string): boolean {
  return /^(COMPLETED|FAILED|CANCELL?ED|REJECTED)$/.test(bare(state));
}

/** The agent waits for somebody: so may nobody wait for it. */
export function isInterrupted(state: string): boolean {
  return /^(INPUT|AUTH)_REQUIRED$/.test(bare(state));
}

export function hasSucceeded(state: string): boolean {
  return bare(state) === "COMPLETED";
}

export function isResting(state: string): boolean {
  return isTerminal(state) || isInterrupted(state);
}

export function objectOf(value: unknown): Json {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Json) : {};
}

export function listOf(value: unknown): Json[] {
  return Array.isArray(value) ? value.map(objectOf) : [];
}

function textOf(value: unknown): string | undefined {
  return typeof value === "string" && value !== "" ? value : undefined;
}
