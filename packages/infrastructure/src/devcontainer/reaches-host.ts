import type { JsonObject, JsonValue } from "@cleveragents/domain";

/** Arguments of `docker run` that give a container nothing of the host. */
const HARMLESS =
  /^--(init|memory|memory-swap|cpus|cpu-shares|shm-size|hostname|add-host|tmpfs|ulimit|env|label)(=|$)|^-[eh]$/;
/** Those of them that take their value as an argument of its own. */
const WITH_VALUE =
  /^(--(memory|memory-swap|cpus|cpu-shares|shm-size|hostname|add-host|tmpfs|ulimit|env|label)|-[eh])$/;

/**
 * How a container's description would let it, or what made the repository, out to the host. What comes by images and
 * features cannot be read here: the container itself is looked at before anything is run in it.
 */
export function reachesHost(config: JsonObject): string[] {
  const found: string[] = [];
  if (isSet(config["initializeCommand"])) found.push("`initializeCommand` runs on the host");
  if (config["privileged"] === true) found.push("`privileged` gives the container the host's devices");
  if (listOf(config["capAdd"]).length > 0) found.push("`capAdd` gives the container more rights");
  if (listOf(config["securityOpt"]).length > 0) found.push("`securityOpt` takes away protection");
  if (isSet(config["workspaceMount"]))
    found.push("`workspaceMount` puts another folder in the sandbox's place");
  if (isSet(config["dockerComposeFile"])) found.push("`dockerComposeFile` can mount any folder of the host");
  if (listOf(config["mounts"]).some(bindsHost)) found.push("`mounts` has a folder of the host");
  const argument = unknownArgument(listOf(config["runArgs"]).map(String));
  if (argument !== undefined) found.push(`\`runArgs\` has ${argument}`);
  return found;
}

function isSet(value: JsonValue | undefined): boolean {
  return value !== undefined && value !== null && value !== "";
}

function listOf(value: JsonValue | undefined): readonly JsonValue[] {
  return Array.isArray(value) ? value : [];
}

function bindsHost(mount: JsonValue): boolean {
  if (typeof mount === "string") return !/(^|,)\s*type\s*=\s*(volume|tmpfs)\s*(,|$)/.test(mount);
  const type =
    typeof mount === "object" && mount !== null && !Array.isArray(mount) ? mount["type"] : undefined;
  return type !== "volume" && type !== "tmpfs";
}

function unknownArgument(args: readonly string[]): string | undefined {
  for (let at = 0; at < args.length; at += 1) {
    const argument = args[at] as string;
    if (!HARMLESS.test(argument)) return argument.split("=", 1)[0];
    if (WITH_VALUE.test(argument)) at += 1;
  }
  return undefined;
}
