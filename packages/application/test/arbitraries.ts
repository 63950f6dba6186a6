import { parseJson } from "@cleveragents/protocol";
import fc from "fast-check";

/** Any JSON as it comes out of the parser: no key is `__proto__`, no number is -0. */
export const anyJson = fc.json({ maxDepth: 3 }).map(parseJson);
export const anyObject = fc
  .dictionary(fc.string(), fc.json({ maxDepth: 1 }).map(parseJson), { maxKeys: 3 })
  .map((object) => parseJson(JSON.stringify(object)) as Record<string, unknown>);

const id = fc.string({ minLength: 1, maxLength: 8 });
const metadata = anyObject.filter(
  (object) => !("data_part_compat" in object) && Object.keys(object).length > 0,
);
const base64 = fc.uint8Array({ maxLength: 9 }).map((bytes) => Buffer.from(bytes).toString("base64"));
const file = { mediaType: id, filename: id, metadata };
const optionalMembers = <T>(members: T, needed: Record<string, fc.Arbitrary<unknown>>) =>
  fc.record({ ...needed, ...members }, { requiredKeys: Object.keys(needed) });

/** Parts of A2A 1.0 that 0.3 can express. */
export const part = fc.oneof(
  optionalMembers({ metadata }, { text: fc.string() }),
  optionalMembers(file, { raw: base64 }),
  optionalMembers(file, { url: id }),
  optionalMembers({ metadata }, { data: anyJson }),
);
const parts = fc.array(part, { minLength: 1, maxLength: 3 });
const uris = fc.array(id, { minLength: 1, maxLength: 2 });

export const message = optionalMembers(
  { contextId: id, taskId: id, metadata, extensions: uris, referenceTaskIds: uris },
  { messageId: id, role: fc.constantFrom("ROLE_USER", "ROLE_AGENT"), parts },
);
export const artifact = optionalMembers(
  { name: id, description: id, metadata, extensions: uris },
  { artifactId: id, parts },
);
export const state = fc.constantFrom(
  "TASK_STATE_SUBMITTED",
  "TASK_STATE_WORKING",
  "TASK_STATE_INPUT_REQUIRED",
  "TASK_STATE_AUTH_REQUIRED",
  "TASK_STATE_COMPLETED",
  "TASK_STATE_FAILED",
  "TASK_STATE_CANCELED",
  "TASK_STATE_REJECTED",
);
const status = optionalMembers({ message }, { state, timestamp: fc.constant("2026-01-02T03:04:05.678Z") });
export const task = optionalMembers(
  {
    metadata,
    artifacts: fc.array(artifact, { minLength: 1, maxLength: 2 }),
    history: fc.array(message, { minLength: 1, maxLength: 2 }),
  },
  { id, contextId: id, status },
);
export const streamResponse = fc.oneof(
  fc.record({ task }),
  fc.record({ message }),
  fc.record({ statusUpdate: optionalMembers({ metadata }, { taskId: id, contextId: id, status }) }),
  fc.record({
    artifactUpdate: optionalMembers(
      { metadata, append: fc.boolean(), lastChunk: fc.boolean() },
      { taskId: id, contextId: id, artifact },
    ),
  }),
);
export const pushConfig = optionalMembers(
  { token: id, authentication: optionalMembers({ credentials: id }, { scheme: id }) },
  { taskId: id, id, url: id },
);
