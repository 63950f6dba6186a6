import { randomUUID } from "node:crypto";
import {
  dialectFor,
  type FoundMethod,
  methodOf,
  requestedExtensions,
  versionOf,
} from "@cleveragents/application";
import type {
  CallContext,
  ErrorObject,
  FieldViolation,
  JsonRpcRequest,
  MethodRow,
  ServiceParameters,
} from "@cleveragents/protocol";

/** How one call is put to an owner, which speaks JSON-RPC alone, and how its words are written for the caller. */
export interface ForwardedCall {
  /** Undefined where the owner will say that there is no such method or version. */
  readonly row: MethodRow | undefined;
  readonly request: Pick<JsonRpcRequest, "method" | "params">;
  readonly serviceParameters: ServiceParameters;
  /** See `DispatchAnswer`. */
  readonly version: "0.3" | undefined;
  /** The extensions that the caller names, and the name to answer under. */
  readonly extensions: ReturnType<typeof requestedExtensions>;
  result(result: unknown): unknown;
  element(element: unknown): unknown;
  error(error: ErrorObject): ErrorObject;
}

/**
 * The owner reads every JSON-RPC dialect itself. The proto-JSON of 0.3, which it would take for that, is read here and
 * put to it as A2A 1.0. Throws `InvalidParams`.
 */
export async function forwardedCall(request: JsonRpcRequest, context: CallContext): Promise<ForwardedCall> {
  const { serviceParameters, encoding } = context;
  const found = find(request.method, context);
  const version = found?.writing.version;
  const asked = {
    row: found?.row,
    version,
    extensions: requestedExtensions(serviceParameters, version ?? "1.0"),
  };
  const { method, params } = request;
  if (found === undefined || encoding !== "http+json" || version === undefined) {
    const same = <T>(value: T) => value;
    return {
      ...asked,
      request: params === undefined ? { method } : { method, params },
      serviceParameters,
      result: same,
      element: same,
      error: same,
    };
  }
  const { name, writing } = found;
  // On that binding messages are of one form, so nothing has to be asked about the caller's tasks.
  const asker = { newId: () => randomUUID(), hasTask: async () => false };
  return {
    ...asked,
    request: { method: name, params: (await writing.params(params ?? {}, asker)) as object },
    serviceParameters: as10(serviceParameters, asked.extensions.requested),
    result: writing.result,
    element: writing.element,
    error: (error) => respelt(error, writing.field),
  };
}

function find(method: string, { serviceParameters, encoding }: CallContext): FoundMethod | undefined {
  try {
    return methodOf(method, dialectFor(versionOf(serviceParameters["a2a-version"]), encoding));
  } catch {
    return undefined;
  }
}

function as10(parameters: ServiceParameters, extensions: readonly string[]): ServiceParameters {
  const { "x-a2a-extensions": _, "a2a-extensions": __, ...others } = parameters;
  return {
    ...others,
    "a2a-version": "1.0",
    ...(extensions.length === 0 ? {} : { "a2a-extensions": extensions.join(",") }),
  };
}

/** Fields that are wrong, as the caller spells them; the text begins with the first one. */
function respelt(error: ErrorObject, spell: (field: string) => string): ErrorObject {
  const { data, message } = error;
  if (!Array.isArray(data)) return error;
  const details = data as readonly { readonly fieldViolations?: readonly FieldViolation[] }[];
  const [first] = details.flatMap(({ fieldViolations = [] }) => fieldViolations);
  return {
    ...error,
    message:
      first === undefined
        ? message
        : message.replace(
            `Invalid parameters: ${first.field}:`,
            `Invalid parameters: ${spell(first.field)}:`,
          ),
    data: details.map(({ fieldViolations, ...detail }) =>
      fieldViolations === undefined
        ? detail
        : {
            ...detail,
            fieldViolations: fieldViolations.map((one) => ({ ...one, field: spell(one.field) })),
          },
    ),
  };
}
