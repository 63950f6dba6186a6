import { callCommand } from "../command/call-command.ts";

export const command = callCommand({
  method: "_cleveragents/registry/lsp/test",
  params: ({ values }) => ({ name: values.positional("NAME"), project: values.text("project") }),
  text: ({
    name,
    server,
    capabilities,
    position_encoding,
    diagnostics,
    started_ms,
    enforcement,
    tried,
    left_running,
  }) => {
    const called = [server.name, server.version].filter((word) => word !== undefined).join(" ");
    const lines = [
      `${name}: ${called === "" ? "a server that does not say what it is" : called}, ready after ${started_ms} ms, isolation ${enforcement}`,
      `Offers:      ${capabilities.length === 0 ? "nothing that plans can ask for" : capabilities.join(", ")}`,
      `Diagnostics: ${diagnostics === "pull" ? "given when they are asked for" : "published by itself"}`,
      `Counts in:   ${position_encoding}`,
      ...(tried === undefined ? [] : [`Tried:       ${tried.path}: ${judged(tried)}`]),
      left_running === 0 ? "Stopped; nothing of it is left." : `Left running: ${left_running} processes.`,
    ];
    return lines.join("\n");
  },
  names: ({ name }) => [name],
});

function judged({ errors, warnings, stale }: { errors: number; warnings: number; stale: boolean }): string {
  return stale ? "not judged in time" : `${errors} errors, ${warnings} warnings`;
}
