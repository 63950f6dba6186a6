import { ProtocolError } from "@cleveragents/protocol";

/** The service, or a clear error where this composition has none. Parameters have been checked by then. */
export function wired<T>(service: T | undefined, name: string): T {
  if (service === undefined)
    throw new ProtocolError("NotAvailable", {
      message: `The ${name} service is not available in this mode`,
      details: { service: name },
    });
  return service;
}
