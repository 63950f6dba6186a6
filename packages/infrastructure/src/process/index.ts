export { CommandLedger } from "./command-ledger.ts";
export { ProcessCommandRunner, type ProcessCommandRunnerDeps } from "./process-command-runner.ts";
