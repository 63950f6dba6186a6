export { GitWorkspace, type GitWorkspaceDeps } from "./git-workspace.ts";
