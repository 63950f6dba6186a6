import ipaddr from "ipaddr.js";

const GLOBAL_UNICAST = ipaddr.IPv6.parse("2000::");

/**
 * Whether an IP address is one that anybody on the internet may have. Everything with a purpose of its own is not:
 * loopback, private, link-local (and so the metadata services of clouds), shared (CGNAT), multicast, unspecified, and
 * every way to write an IPv4 address as IPv6 (mapped, compatible, NAT64, 6to4, Teredo), whatever it leads to.
 */
export function isPublicAddress(address: string): boolean {
  if (!ipaddr.isValid(address)) return false;
  const parsed = ipaddr.parse(address);
  if (parsed.range() !== "unicast") return false;
  return parsed.kind() === "ipv4" || parsed.match(GLOBAL_UNICAST, 3);
}
