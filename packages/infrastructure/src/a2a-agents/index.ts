export { HttpRemoteAgents, type HttpRemoteAgentsOptions } from "./remote-agents.ts";
