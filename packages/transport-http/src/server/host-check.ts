import { isIP } from "node:net";

export interface HostCheck {
  /** Whether a request with this `Host`, that arrived at this local address, is meant for us. */
  host(header: string | undefined, localAddress: string | undefined): boolean;
  /** Whether a page of this origin may call us. No origin means no browser. */
  origin(header: string | undefined): boolean;
  /** Another name of ours, known once we are bound. */
  add(name: string): void;
}

const LOOPBACK = /^(localhost|127\.\d{1,3}\.\d{1,3}\.\d{1,3}|::1)$/;

/**
 * Against DNS rebinding: a page of a foreign site can make its own name resolve to our address, but its requests then
 * still carry that name. Names are compared without port. An address that we were reached at is one of our names.
 */
export function createHostCheck(
  allowedHosts: readonly string[],
  allowedOrigins: readonly string[],
): HostCheck {
  const names = new Set(allowedHosts.map((name) => nameOf(name) ?? name.toLowerCase()));
  const everyName = names.has("*");
  const isOurs = (name: string) => everyName || LOOPBACK.test(name) || names.has(name);
  // Nearly every request of a connection carries the same header.
  let lastHost: string | undefined;
  return {
    host(header, localAddress) {
      if (header === undefined) return false;
      if (header === lastHost) return true;
      const name = nameOf(header);
      if (name === undefined) return false;
      if (isOurs(name)) {
        lastHost = header;
        return true;
      }
      return isIP(name) !== 0 && name === withoutMapping(localAddress);
    },
    origin(header) {
      if (header === undefined || allowedOrigins.includes(header)) return true;
      const scheme = /^https?:\/\//.exec(header)?.[0];
      const name = scheme === undefined ? undefined : nameOf(header.slice(scheme.length));
      return name !== undefined && isOurs(name);
    },
    add(name) {
      names.add(name.toLowerCase());
    },
  };
}

/** `name[:port]` without the port, in lower case; IPv6 without its brackets. Undefined if it is nothing of the kind. */
function nameOf(authority: string): string | undefined {
  const match = /^(?:\[([0-9a-f:.]+)\]|([^:/?#@[\]\s]+))(?::\d+)?$/i.exec(authority);
  return (match?.[1] ?? match?.[2])?.toLowerCase();
}

/** An IPv4 peer of a dual-stack socket appears as `::ffff:10.0.0.1`. */
function withoutMapping(address: string | undefined): string | undefined {
  return address?.replace(/^::ffff:(?=\d+\.)/i, "").toLowerCase();
}
