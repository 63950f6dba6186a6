import { type MethodName, methods } from "@cleveragents/protocol";
import fc from "fast-check";

const MEMBERS =
  "message parts text raw url data mediaType filename kind file bytes uri role messageId contextId taskId id historyLength configuration returnImmediately blocking metadata pageSize pageToken status includeArtifacts token authentication scheme schemes credentials tenant plan_id action_name arguments name session_id actor_name document __proto__ constructor toString message_id history_length".split(
    " ",
  );
const WORDS = [
  "ROLE_USER",
  "user",
  "text",
  "message",
  "echo",
  "msg",
  "ask",
  "boom",
  "reject",
  "ghost",
  "TASK_STATE_WORKING",
  "\ud800",
  "\u0000",
  "../../etc/passwd",
  "'; DROP TABLE tasks; --",
  "x".repeat(5000),
];

const leaf = fc.oneof(
  fc.constantFrom<unknown>(...WORDS),
  fc.string({ unit: "binary" }),
  fc.double(),
  fc.integer(),
  fc.boolean(),
  fc.constant(null),
);

/** JSON that often looks like what a method takes. */
export const { almost } = fc.letrec<{ almost: unknown }>((tie) => ({
  almost: fc.oneof(
    { depthSize: "medium", maxDepth: 6 },
    leaf,
    fc.dictionary(fc.constantFrom(...MEMBERS), tie("almost"), { maxKeys: 6 }),
    fc.array(tie("almost"), { maxLength: 3 }),
  ),
}));

const message = fc.record(
  {
    messageId: fc.uuid(),
    role: fc.constantFrom("ROLE_USER", "user"),
    parts: fc.array(fc.oneof(fc.record({ text: fc.constantFrom(...WORDS) }), almost), { maxLength: 3 }),
    metadata: almost,
    contextId: fc.string(),
  },
  { requiredKeys: ["messageId", "role", "parts"] },
);
const params = fc.oneof(
  almost,
  fc.record({ message }),
  fc.record({ message, configuration: almost }),
  fc.record({ id: fc.string(), historyLength: leaf }),
);

const LEGACY = [
  "message/send",
  "message/stream",
  "tasks/get",
  "tasks/cancel",
  "tasks/resubscribe",
  "tasks/list",
];
/** Whatever begins something that lasts or fills the disk is left out, not what refuses. */
const NAMES = (Object.keys(methods) as MethodName[]).filter(
  (name) => !/plan\/(use|execute)|event\//.test(name),
);
const method = fc.oneof(
  { weight: 8, arbitrary: fc.constantFrom<string>(...NAMES, ...LEGACY) },
  { weight: 1, arbitrary: fc.constantFrom("__proto__", "constructor", "toString", "", " ") },
  { weight: 1, arbitrary: fc.string() },
);

export const envelope = fc.record(
  {
    jsonrpc: fc.oneof({ weight: 9, arbitrary: fc.constant<unknown>("2.0") }, { weight: 1, arbitrary: leaf }),
    id: fc.oneof(fc.integer(), fc.string(), leaf),
    method: fc.oneof<fc.Arbitrary<unknown>[]>({ weight: 9, arbitrary: method } as never, leaf),
    params,
    a2a: almost,
  },
  { requiredKeys: ["jsonrpc", "method", "params"] },
);

/** A body of any kind, as bytes. */
export const body = fc.oneof(
  { weight: 6, arbitrary: envelope.map((value) => Buffer.from(JSON.stringify(value))) },
  {
    weight: 2,
    arbitrary: fc.array(envelope, { maxLength: 4 }).map((value) => Buffer.from(JSON.stringify(value))),
  },
  { weight: 1, arbitrary: almost.map((value) => Buffer.from(JSON.stringify(value) ?? "")) },
  { weight: 1, arbitrary: fc.uint8Array({ maxLength: 200 }).map((bytes) => Buffer.from(bytes)) },
  {
    weight: 1,
    arbitrary: fc.tuple(envelope, fc.double({ min: 0, max: 1, noNaN: true })).map(([value, where]) => {
      const text = Buffer.from(JSON.stringify(value));
      return text.subarray(0, Math.floor(text.length * where));
    }),
  },
);

const printable = fc.string({ maxLength: 30 }).map((text) => text.trim());
export const headers = fc.record(
  {
    "content-type": fc.oneof(
      { weight: 6, arbitrary: fc.constantFrom("application/json", "application/a2a+json") },
      { weight: 1, arbitrary: printable },
    ),
    accept: fc.oneof(fc.constantFrom("text/event-stream", "application/json", "*/*"), printable),
    "a2a-version": fc.oneof(
      { weight: 6, arbitrary: fc.constantFrom("1.0", "0.3") },
      { weight: 1, arbitrary: fc.oneof(fc.constantFrom("9.9", "1", "1.0.0.0", "1.0, 0.3"), printable) },
    ),
    "a2a-extensions": printable,
    "last-event-id": fc.oneof(printable, fc.constant("ghost:1")),
    traceparent: printable,
  },
  { requiredKeys: ["content-type"] },
);

const segment = fc.oneof(
  fc.constantFrom(
    "tasks",
    "message:send",
    "message:stream",
    "ghost",
    "ghost:cancel",
    "ghost:subscribe",
    "v1",
  ),
  fc.constantFrom(
    "pushNotificationConfigs",
    "extendedAgentCard",
    "card",
    "..",
    "%00",
    "%2F",
    "%ff",
    "%",
    ":",
    "_cleveragents",
  ),
  fc.webSegment(),
);
const query = fc
  .array(
    fc.tuple(
      fc.constantFrom(...MEMBERS, "pageSize", "status"),
      fc.oneof(fc.constantFrom("1", "-1", "true"), fc.string()),
    ),
    { maxLength: 3 },
  )
  .map((pairs) =>
    pairs.map(([name, value]) => `${name}=${encodeURIComponent(value.toWellFormed())}`).join("&"),
  );
export const restPath = fc
  .tuple(fc.array(segment, { maxLength: 4 }), query)
  .map(([segments, asked]) => `/${segments.join("/")}${asked === "" ? "" : `?${asked}`}`);
