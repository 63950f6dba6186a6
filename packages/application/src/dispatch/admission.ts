import {
  type Capabilities,
  capabilityOf,
  type MethodRow,
  type Principal,
  ProtocolError,
} from "@cleveragents/protocol";

/** Refuses a method whose capability is switched off here (A2A §3.3.4); the card says so to everybody. */
export function checkCapability(row: MethodRow, capabilities: Partial<Capabilities>): void {
  const needed = capabilityOf(row);
  if (needed === undefined || capabilities[needed] !== false) return;
  throw new ProtocolError(
    needed === "pushNotifications" ? "PushNotificationNotSupported" : "UnsupportedOperation",
    { details: { capability: needed } },
  );
}

export function checkScope(row: MethodRow, { scopes }: Principal): void {
  if (!scopes.includes(row.scope)) throw denied(row, { scope: row.scope });
}

/** A tenant that a call names, in whatever place, must be one of the caller's; an empty one is none. */
export function checkTenant(row: MethodRow, params: unknown, { tenants = [] }: Principal): void {
  if (typeof params !== "object" || params === null || !("tenant" in params)) return;
  const { tenant } = params;
  if (typeof tenant === "string" && tenant !== "" && !tenants.includes(tenant)) throw denied(row, { tenant });
}

function denied(row: MethodRow, details: Readonly<Record<string, string>>): ProtocolError {
  return new ProtocolError(row.family === "a2a" ? "PermissionDenied" : "Forbidden", { details });
}
