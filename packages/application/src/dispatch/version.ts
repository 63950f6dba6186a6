import {
  A2A_VERSIONS,
  type A2aVersion,
  type MethodName,
  type MethodRow,
  methods,
  PLATFORM_EXTENSION,
  ProtocolError,
  readVersion,
  resolveMethod,
} from "@cleveragents/protocol";
import type { Asker, Dialect, StandardMethod } from "../wire/dialects/dialect.ts";
import { dialectFor } from "../wire/dialects/dialect-for.ts";

/** The version that a request asks for (A2A §3.6.2): Major.Minor counts, a patch does not; absent or empty is 0.3. */
export function versionOf(
  given: string | undefined,
  served: readonly A2aVersion[] = A2A_VERSIONS,
): Dialect["version"] {
  const version = (given ?? "").trim() === "" ? "0.3" : readVersion(given as string);
  if (version !== undefined && served.includes(version)) return version;
  throw new ProtocolError("VersionNotSupported", {
    message: `Protocol version ${JSON.stringify(given ?? "0.3")} is not supported`,
    details: { supported: served.join(", ") },
  });
}

/** How one method's request and answer are written. */
export interface Writing {
  /** Set where it is not as behind the dispatcher: the version of A2A that it is of. */
  readonly version?: "0.3";
  params(params: unknown, asker: Asker): unknown;
  field(field: string): string;
  result(result: unknown): unknown;
  element(element: unknown): unknown;
}

export interface FoundMethod {
  readonly name: MethodName;
  readonly row: MethodRow;
  readonly writing: Writing;
}

/** The row of a method under a dialect. A method of another dialect is not found, and the message says what to send. */
export function methodOf(spelling: string, dialect: Dialect): FoundMethod {
  const standard = dialect.names.get(spelling);
  if (standard !== undefined && isServed(standard))
    return { name: standard, row: methods[standard], writing: writingOf(dialect, standard) };
  const name = resolveMethod(spelling);
  if (name !== undefined && methods[name].family === "cleveragents")
    return { name, row: methods[name], writing: AS_IT_IS };
  throw methodNotFound(spelling, dialect);
}

/** The platform's own methods are the same under every version. */
const AS_IT_IS: Writing = {
  params: (params) => params,
  field: (field) => field,
  result: (result) => result,
  element: (element) => element,
};

function writingOf(dialect: Dialect, method: StandardMethod): Writing {
  return {
    ...(dialect.version === "0.3" ? { version: dialect.version } : {}),
    params: (params, asker) => dialect.params(method, params, asker),
    field: (field) => dialect.field(method, field),
    result: (result) => dialect.result(method, result),
    element: (element) => dialect.element(method, element),
  };
}

function isServed(name: string): name is MethodName & StandardMethod {
  return Object.hasOwn(methods, name);
}

const ANOTHER = {
  "1.0": { version: "0.3", header: "A2A-Version: 0.3, or none" },
  "0.3": { version: "1.0", header: "A2A-Version: 1.0" },
} as const;

function methodNotFound(spelling: string, dialect: Dialect): ProtocolError {
  const method = spelling.slice(0, 200);
  const { version, header } = ANOTHER[dialect.version];
  const elsewhere = dialectFor(version).names.get(spelling);
  if (elsewhere === undefined || !isServed(elsewhere))
    return new ProtocolError("MethodNotFound", {
      message: `Method not found: ${method}`,
      details: { method },
    });
  return new ProtocolError("MethodNotFound", {
    message: `${method} is a method of A2A ${version}: send ${header}`,
    details: { method },
    hint: `send the service parameter ${header}`,
  });
}

const OURS = /^urn:cleveragents:extensions:v\d/;

/** A call of ours that names only versions of the platform extension that we do not have is refused; the rest is ignored. */
export function checkExtensionVersion(row: MethodRow, requested: readonly string[]): void {
  const ours = requested.filter((uri) => OURS.test(uri));
  if (row.family === "cleveragents" && ours.length > 0 && !ours.includes(PLATFORM_EXTENSION)) {
    throw new ProtocolError("ExtensionVersionMismatch", {
      details: { supported: PLATFORM_EXTENSION, requested: ours.join(", ") },
    });
  }
}
