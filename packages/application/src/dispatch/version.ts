import {
  type MethodName,
  type MethodRow,
  methods,
  PLATFORM_EXTENSION,
  ProtocolError,
  resolveMethod,
} from "@cleveragents/protocol";

export type Dialect = "1.0" | "0.3";

/** The dialect that a request asks for (A2A §3.6.2): Major.Minor counts, a patch does not; absent or empty is 0.3. */
export function dialectOf(version: string | undefined): Dialect {
  const match = /^(\d+)\.(\d+)(\.\d+)?$/.exec(
    (version ?? "").trim() === "" ? "0.3" : (version as string).trim(),
  );
  const dialect = match === null ? undefined : `${match[1]}.${match[2]}`;
  if (dialect === "1.0" || dialect === "0.3") return dialect;
  throw new ProtocolError("VersionNotSupported", {
    message: `Protocol version ${JSON.stringify(version)} is not supported`,
    details: { supported: "1.0, 0.3" },
  });
}

/** The row of a method under a dialect. A method of another dialect is not found, and the message says what to send. */
export function methodOf(
  spelling: string,
  dialect: Dialect,
): { readonly name: MethodName; readonly row: MethodRow } {
  const name = resolveMethod(spelling);
  if (name === undefined)
    throw new ProtocolError("MethodNotFound", {
      message: `Method not found: ${spelling.slice(0, 200)}`,
      details: { method: spelling.slice(0, 200) },
    });
  const row: MethodRow = methods[name];
  if (row.family === "a2a" && dialect !== "1.0") {
    throw new ProtocolError("MethodNotFound", {
      message: `${spelling} is a method of A2A 1.0: send A2A-Version: 1.0`,
      details: { method: spelling },
      hint: "send the service parameter A2A-Version: 1.0",
    });
  }
  return { name, row };
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
