export {
  type Authenticator,
  type Credentials,
  LOCAL_PRINCIPAL,
  type Principal,
  SCOPES,
  type Scope,
} from "./authenticator.ts";
export { toBlendedAgentCard } from "./card/blended-agent-card.ts";
export {
  buildAgentCard,
  type CardConfig,
  OPENRPC_PATH,
  SPECIFICATION_PATH,
} from "./card/build-agent-card.ts";
export { canonicalAgentCard } from "./card/canonical-agent-card.ts";
export { type CardProblem, type CheckedCard, checkAgentCard } from "./card/check-agent-card.ts";
export { buildExtendedAgentCard, type ExtendedCard, STDIO_BINDING } from "./card/extended-agent-card.ts";
export { commonMembers, legacyEndpoints, toLegacyAgentCard } from "./card/legacy-agent-card.ts";
export type { ClientTransport, SendOptions, StreamFrame } from "./client/client-transport.ts";
export { type CallOptions, type Client, createClient, type StreamItem } from "./client/create-client.ts";
export { type FollowOptions, followTask } from "./client/follow-task.ts";
export { TransportError, type TransportReason } from "./client/transport-error.ts";
export { type Cursor, formatCursor, parseCursor } from "./cursor.ts";
export type {
  CallContext,
  DispatchAnswer,
  Dispatcher,
  ServiceParameters,
  StreamElement,
} from "./dispatcher.ts";
export {
  failure,
  type JsonRpcRequest,
  type JsonRpcResponse,
  type RequestId,
  success,
} from "./envelope/json-rpc.ts";
export {
  type CallMessage,
  DEFAULT_LIMITS,
  type InvalidMessage,
  isRequestId,
  type MessageLimits,
  type ParsedMessage,
  parseJson,
  parseMessage,
  readJson,
} from "./envelope/parse-message.ts";
export { type ErrorEntry, type ErrorName, errorCatalog } from "./errors/error-catalog.ts";
export {
  type ErrorContext,
  type ErrorObject,
  type FieldViolation,
  ProtocolError,
  type ProtocolErrorOptions,
  toErrorObject,
} from "./errors/protocol-error.ts";
export { RemoteError } from "./errors/remote-error.ts";
export {
  APPROVAL_EXTENSION,
  APPROVAL_MEDIA_TYPE,
  HITL_EXTENSION,
  PLATFORM_EXTENSION,
  parseExtensions,
  RESUME_EXTENSION,
} from "./extensions.ts";
export {
  encodeSseComment,
  encodeSseEvent,
  SseDecoder,
  type SseEvent,
  type SseFields,
} from "./framing/sse.ts";
export {
  DEFAULT_FRAMING_LIMITS,
  encodeFrame,
  FramingError,
  type FramingLimits,
  type StdioFraming,
} from "./framing/stdio-framing.ts";
export { FrameDecoder } from "./framing/stdio-framing-decoder.ts";
export {
  A2aError,
  A2aNotAvailableError,
  A2aOperationNotFoundError,
  A2aVersionMismatchError,
} from "./library/a2a-errors.ts";
export {
  type A2aErrorDetail,
  A2aEvent,
  type A2aEventType,
  A2aRequest,
  A2aResponse,
  TASK_ARTIFACT_UPDATE,
  TASK_STATUS_UPDATE,
} from "./library/a2a-models.ts";
export { type Capabilities, capabilityOf } from "./methods/capabilities.ts";
export type { MethodRow, RestBinding } from "./methods/define-method.ts";
export {
  type MethodName,
  type MethodOf,
  methods,
  type ParamsInputOf,
  type ParamsOf,
  type ResultOf,
  resolveMethod,
  type StreamMethod,
  type UnaryMethod,
} from "./methods/method-table.ts";
export { type RestCall, readQuery, readRestCall, restMiss } from "./methods/rest-routes.ts";
export { buildOpenRpc, type OpenRpcDocument, type OpenRpcMethod } from "./openrpc/build-openrpc.ts";
export { describePlatform } from "./openrpc/describe-platform.ts";
export {
  type AgentCard,
  AgentCardSchema,
  type AgentCardSignature,
  type AgentInterface,
  type AgentSkill,
} from "./schemas/agent-card.ts";
export { ArtifactSchema, MessageSchema, PartSchema } from "./schemas/message.ts";
export { type DecisionNode, DigestSchema } from "./schemas/plan.ts";
export { MASKED_SECRET } from "./schemas/push.ts";
export { StreamResponseSchema, TASK_STATE_NAMES, TaskSchema } from "./schemas/task.ts";
export { A2A_VERSIONS, type A2aVersion, readVersion } from "./version.ts";
