import { argumentsOf, type Mount, ordered } from "./mounts.ts";

export interface SandboxDescription {
  /** How user namespaces are asked for, which differs from host to host. */
  readonly users: readonly string[];
  /** Of the user inside, where it is another one than who starts bubblewrap. */
  readonly identity?: readonly string[];
  readonly network: boolean;
  readonly mounts: readonly Mount[];
  readonly directory: string;
  readonly environment: Readonly<Record<string, string>>;
}

/** Descriptors that bubblewrap is started with. */
export const STATUS_FD = 3;
export const ALIVE_FD = 4;
export const ARGUMENTS_FD = 5;

/** The options of bubblewrap for a command. They are handed over by a pipe: nobody else reads them, and none is too long. */
export function sandboxArguments(description: SandboxDescription): string[] {
  const { users, identity = [], network, mounts, directory, environment } = description;
  return [
    ...users,
    ...identity,
    "--unshare-pid",
    "--unshare-ipc",
    "--unshare-uts",
    "--unshare-cgroup-try",
    ...(network ? [] : ["--unshare-net"]),
    "--die-with-parent",
    "--new-session",
    // Without this a command of root keeps root's capabilities.
    "--cap-drop",
    "ALL",
    "--json-status-fd",
    String(STATUS_FD),
    "--sync-fd",
    String(ALIVE_FD),
    ...ordered(mounts).flatMap(argumentsOf),
    "--remount-ro",
    "/",
    "--chdir",
    directory,
    // Not by bubblewrap's own environment: that would be read outside, by its loader to begin with.
    ...Object.entries(environment).flatMap(([name, value]) => ["--setenv", name, value]),
  ];
}
