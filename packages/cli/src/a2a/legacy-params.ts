import { a2aError } from "./a2a-errors.ts";
import { listOf, objectOf } from "./answers.ts";
import type { Operation, Params } from "./operations.ts";

/** Parameters of 1.0 as those of the JSON-RPC binding of 0.3. */
export function legacyParams(operation: Operation, params: Params): Params {
  switch (operation) {
    case "SendMessage":
    case "SendStreamingMessage":
      return sending(params, message);
    case "CreateTaskPushNotificationConfig": {
      const { taskId, ...config } = params;
      return { taskId, pushNotificationConfig: pushConfig(config) };
    }
    case "GetTaskPushNotificationConfig":
    case "DeleteTaskPushNotificationConfig":
      return { id: params["taskId"], pushNotificationConfigId: params["id"] };
    case "ListTaskPushNotificationConfigs":
      return { id: params["taskId"] };
    default:
      return params;
  }
}

/** Bodies of 1.0 as those of the HTTP+JSON binding of 0.3, which is the JSON of its proto. */
export function legacyRestParams(operation: Operation, body: Params): Params {
  switch (operation) {
    case "SendMessage":
    case "SendStreamingMessage":
      return sending(body, protoMessage);
    case "CreateTaskPushNotificationConfig":
      return { pushNotificationConfig: pushConfig(body) };
    default:
      return body;
  }
}

function sending(params: Params, toMessage: (message: Params) => Params): Params {
  const { returnImmediately, ...configuration } = objectOf(params["configuration"]);
  return {
    ...params,
    message: toMessage(objectOf(params["message"])),
    configuration: { ...configuration, blocking: returnImmediately !== true },
  };
}

function message(given: Params): Params {
  return { ...given, kind: "message", role: "user", parts: listOf(given["parts"]).map(part) };
}

function part({ text, raw, url, data, filename, mediaType, ...rest }: Params): Params {
  if (text !== undefined) return { ...rest, kind: "text", text };
  if (data !== undefined) return { ...rest, kind: "data", data: dataObject(data) };
  const content = raw === undefined ? { uri: url } : { bytes: raw };
  return { ...rest, kind: "file", file: named(content, filename, mediaType) };
}

function protoMessage({ parts, ...given }: Params): Params {
  return { ...given, content: listOf(parts).map(protoPart) };
}

function protoPart({ text, raw, url, data, filename, mediaType, ...rest }: Params): Params {
  if (text !== undefined) return { ...rest, text };
  if (data !== undefined) return { ...rest, data: { data: dataObject(data) } };
  const content = raw === undefined ? { fileWithUri: url } : { fileWithBytes: raw };
  return { ...rest, file: named(content, filename, mediaType) };
}

function named(content: object, name: unknown, mimeType: unknown): object {
  return {
    ...content,
    ...(name === undefined ? {} : { name }),
    ...(mimeType === undefined ? {} : { mimeType }),
  };
}

function dataObject(data: unknown): unknown {
  if (typeof data === "object" && data !== null && !Array.isArray(data)) return data;
  throw a2aError("USAGE", "in A2A 0.3 a data part is a JSON object");
}

/** In 0.3 there are several schemes of authentication in one. */
function pushConfig({ authentication, ...config }: Params): Params {
  if (authentication === undefined) return config;
  const { scheme, ...rest } = objectOf(authentication);
  return { ...config, authentication: { schemes: [scheme], ...rest } };
}
