import ipaddr from "ipaddr.js";

type Range = ReturnType<typeof ipaddr.parseCIDR>;
interface Host {
  readonly host: string;
  readonly port: number | undefined;
}

/** An entry that cannot be one; the message says what an entry looks like. */
export class AllowListError extends Error {
  override readonly name = "AllowListError";
}

/**
 * Where else than to the internet may be posted: `host`, `host:port` (the name is trusted, whatever it resolves to),
 * an address, or a range of addresses such as `10.1.0.0/16`.
 */
export class AllowList {
  readonly #hosts: readonly Host[];
  readonly #ranges: readonly Range[];

  /** Throws {@link AllowListError}. */
  constructor(entries: readonly string[]) {
    this.#ranges = entries.filter((entry) => entry.includes("/")).map(toRange);
    this.#hosts = entries.filter((entry) => !entry.includes("/")).map(toHost);
  }

  /** As a URL writes the name, without the brackets of IPv6. */
  hasHost(host: string, port: number): boolean {
    return this.#hosts.some((one) => one.host === host && (one.port === undefined || one.port === port));
  }

  hasAddress(address: string): boolean {
    if (!ipaddr.isValid(address)) return false;
    const parsed = ipaddr.parse(address);
    return this.#ranges.some(
      ([base, bits]) => base.kind() === parsed.kind() && parsed.match([base, bits] as [ipaddr.IPv4, number]),
    );
  }
}

function toRange(entry: string): Range {
  if (!ipaddr.isValidCIDR(entry)) throw wrong(entry);
  return ipaddr.parseCIDR(entry);
}

function toHost(entry: string): Host {
  const bare = ipaddr.IPv6.isValid(entry) ? `[${entry}]` : entry;
  const [, name, port] = /^(\[[^\]]+\]|[^:@?#\\\s]+)(?::(\d{1,5}))?$/.exec(bare) ?? [];
  const url = name === undefined ? null : URL.parse(`http://${name}`);
  if (url === null || Number(port ?? 1) > 65_535) throw wrong(entry);
  return { host: hostOf(url), port: port === undefined ? undefined : Number(port) };
}

/** A name without the dot that makes it absolute, an address without brackets. */
export function hostOf({ hostname }: URL): string {
  return hostname.replace(/^\[(.*)\]$/, "$1").replace(/\.$/, "");
}

function wrong(entry: string): AllowListError {
  return new AllowListError(
    `"${entry}" is neither host, host:port nor a range of addresses such as 10.1.0.0/16`,
  );
}
