export { DevcontainerLauncher } from "./devcontainer-launcher.ts";
export { Devcontainers, type DevcontainersDeps } from "./devcontainers.ts";
