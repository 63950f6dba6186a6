import type { IncomingMessage } from "node:http";
import { BlockList, isIP } from "node:net";

/** The address that the caller used, where a proxy that is trusted says so. */
export type ForwardedReader = (request: IncomingMessage) => string | undefined;

const HOST = /^(?:\[[0-9a-f:.]+\]|[a-z0-9](?:[a-z0-9._-]*[a-z0-9])?)(?::\d{1,5})?$/i;
const PREFIX = /^(?:\/[\w.~-]+)+$/;

/**
 * Reads `X-Forwarded-Proto`, `-Host` and `-Prefix`, of which the first value is the one that the caller saw. Believed only
 * of peers among `trusted` (addresses, or networks like `10.0.0.0/8`); what is no host or path is ignored altogether.
 * Throws where one of `trusted` is neither.
 */
export function createForwardedReader(trusted: readonly string[]): ForwardedReader {
  if (trusted.length === 0) return () => undefined;
  const peers = new BlockList();
  for (const entry of trusted) add(peers, entry);
  return ({ headers, socket }) => {
    const peer = (socket.remoteAddress ?? "").replace(/^::ffff:(?=\d+\.)/i, "");
    const kind = isIP(peer);
    if (kind === 0 || !peers.check(peer, kind === 6 ? "ipv6" : "ipv4")) return undefined;
    const host = first(headers["x-forwarded-host"]);
    const scheme = first(headers["x-forwarded-proto"]) ?? "http";
    const prefix = first(headers["x-forwarded-prefix"])?.replace(/\/+$/, "") ?? "";
    if (host === undefined || !HOST.test(host) || !/^https?$/i.test(scheme)) return undefined;
    if (prefix !== "" && !PREFIX.test(prefix)) return undefined;
    return `${scheme.toLowerCase()}://${host.toLowerCase()}${prefix}`;
  };
}

function add(peers: BlockList, entry: string): void {
  const [address = "", bits] = entry.split("/");
  const family = isIP(address) === 6 ? "ipv6" : "ipv4";
  if (bits === undefined) peers.addAddress(address, family);
  else peers.addSubnet(address, Number(bits), family);
}

function first(header: string | string[] | undefined): string | undefined {
  const value = (Array.isArray(header) ? header[0] : header)?.split(",")[0]?.trim();
  return value === "" ? undefined : value;
}
