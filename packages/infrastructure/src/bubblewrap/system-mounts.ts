import { lstat, readlink } from "node:fs/promises";
import type { Mount } from "./mounts.ts";

/** Where programs and what they load lie; on some systems these are links into /usr, on others directories. */
const PROGRAMS = ["/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32"];
const WHOLE = ["/usr", "/nix/store", "/gnu/store"];
/**
 * Of /etc what programs look up. A list of what is shown, since the rest holds host keys, password hashes and
 * whatever an administrator has put there.
 */
const SETTINGS = [
  "alternatives",
  "ca-certificates",
  "ca-certificates.conf",
  "crypto-policies",
  "debian_version",
  "fonts",
  "gai.conf",
  "group",
  "host.conf",
  "hosts",
  "inputrc",
  "java",
  "ld.so.cache",
  "ld.so.conf",
  "ld.so.conf.d",
  "ld-musl-x86_64.path",
  "ld-musl-aarch64.path",
  "localtime",
  "lsb-release",
  "magic",
  "mime.types",
  "nsswitch.conf",
  "os-release",
  "passwd",
  "perl",
  "pki/ca-trust",
  "pki/tls/cert.pem",
  "pki/tls/certs",
  "protocols",
  "python3",
  "resolv.conf",
  "services",
  "shells",
  "ssl/cert.pem",
  "ssl/certs",
  "ssl/openssl.cnf",
  "static",
  "terminfo",
  "timezone",
].map((name) => `/etc/${name}`);

/**
 * What the kernel tells in /proc of the whole machine. Commands of root may be root for it in spite of their
 * namespaces: it could be written to, or tells what is nobody's business.
 */
const KERNEL_TO_READ = ["bus", "driver", "fs", "irq", "mtrr", "sys", "sysrq-trigger", "tty"];
const KERNEL_HIDDEN = [
  "acpi",
  "asound",
  "dynamic_debug",
  "kcore",
  "keys",
  "kmsg",
  "latency_stats",
  "sched_debug",
  "scsi",
  "timer_list",
];

/** The operating system, as it is on this host: readable, and without what it keeps for itself. */
export async function systemMounts(): Promise<Mount[]> {
  const found = await Promise.all([...WHOLE, ...PROGRAMS, ...SETTINGS].map(mountOf));
  return [
    ...found.filter(isThere),
    { kind: "processes", at: "/proc" },
    ...(await Promise.all(KERNEL_TO_READ.map((name) => mountOf(`/proc/${name}`)))).filter(isThere),
    ...(await Promise.all(KERNEL_HIDDEN.map((name) => coverOf(`/proc/${name}`)))).filter(isThere),
    { kind: "devices", at: "/dev" },
    { kind: "empty", at: "/run" },
    { kind: "empty", at: "/tmp" },
    { kind: "link", at: "/var/tmp", to: "/tmp" },
  ];
}

const isThere = (mount: Mount | undefined): mount is Mount => mount !== undefined;

async function coverOf(path: string): Promise<Mount | undefined> {
  const found = await lstat(path).catch(() => undefined);
  if (found === undefined) return undefined;
  return found.isDirectory()
    ? { kind: "empty", at: path }
    : { kind: "read-only", at: path, from: "/dev/null" };
}

async function mountOf(path: string): Promise<Mount | undefined> {
  const found = await lstat(path).catch(() => undefined);
  if (found === undefined) return undefined;
  if (found.isSymbolicLink() && PROGRAMS.includes(path))
    return { kind: "link", at: path, to: await readlink(path) };
  return { kind: "read-only", at: path, from: path };
}
