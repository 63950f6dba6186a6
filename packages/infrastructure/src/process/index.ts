export { ProcessCommandRunner, type ProcessCommandRunnerDeps } from "./process-command-runner.ts";
