export { CommandGroups } from "./command-groups.ts";
export { CommandLedger } from "./command-ledger.ts";
export { OutputFiles, type OutputFilesDeps } from "./output-files.ts";
export { ProcessCommandRunner, type ProcessCommandRunnerDeps } from "./process-command-runner.ts";
export type { ServerProcess, ServerRequest, ServerStarter } from "./server-process.ts";
