export { AgentSkillFolders, type AgentSkillFoldersDeps } from "./agent-skill-folders.ts";
export { AgentSkillLoader, SkillUnusableError } from "./agent-skill-loader.ts";
export { AgentSkillToolProvider } from "./agent-skill-tool-provider.ts";
export { discoverAgentSkills, type SkillRoot } from "./discover-agent-skills.ts";
export { type InlineFunction, type InlineRegistration, InlineToolExecutor } from "./inline-tool-executor.ts";
export { type RegisteredSkills, registerDiscoveredSkills } from "./register-discovered-skills.ts";
export { type BoundResource, SkillContext, type ToolInvocationRecord } from "./skill-context.ts";
export { SkillSnapshots } from "./skill-snapshots.ts";
