export { GitWorkspace, type GitWorkspaceDeps } from "./git-workspace.ts";
export { ThrowawayRepositories } from "./throwaway-repository.ts";
