type Environment = Readonly<Record<string, string | undefined>>;

const VARIABLES = ["https_proxy", "HTTPS_PROXY", "http_proxy", "HTTP_PROXY"];
const OWN_MACHINE = ["localhost", "127.0.0.1", "::1"];

/** The variable that names a proxy which this process does not go by yet, if one does. */
export function proxyVariable(env: Environment): string | undefined {
  if (env["NODE_USE_ENV_PROXY"] === "1") return undefined;
  return VARIABLES.find((name) => (env[name] ?? "") !== "");
}

/** The same for Node: requests to this machine go directly, as a local agent's do. */
export function proxyEnvironment(env: Environment): Environment {
  const direct = [env["no_proxy"] ?? env["NO_PROXY"] ?? "", ...OWN_MACHINE];
  const hosts = direct.filter((host) => host !== "").join(",");
  return { ...env, no_proxy: hosts, NO_PROXY: hosts };
}

let used = false;

/**
 * From now on requests of this process go through the proxies of the environment, as those of other tools do. Where this
 * Node cannot, `warn` is told so.
 */
export async function useProxies(env: Environment, warn: (text: string) => void): Promise<void> {
  const variable = proxyVariable(env);
  if (used || variable === undefined) return;
  used = true;
  const { default: http } = await import("node:http");
  const { setGlobalProxyFromEnv } = http as { setGlobalProxyFromEnv?: (env: Environment) => unknown };
  if (setGlobalProxyFromEnv === undefined)
    warn(`this Node.js does not go by ${variable}; NODE_USE_ENV_PROXY=1 makes newer ones do it`);
  else setGlobalProxyFromEnv(proxyEnvironment(env));
}
