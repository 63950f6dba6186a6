import { callCommand } from "../command/call-command.ts";
import { EXIT } from "../exit-codes.ts";
import { checksTable } from "../output/checks-table.ts";

export const command = callCommand({
  method: "_cleveragents/health/check",
  params: () => ({}),
  text: ({ status, service, version, checks }, page) => {
    const { green, yellow } = page.paint;
    const first = `${status === "healthy" ? green(status) : yellow(status)}: ${service} ${version}`;
    return checks.length === 0 ? first : `${first}\n${checksTable(checks, page)}`;
  },
  names: ({ checks }) => checks.map(({ id }) => id),
  exitCode: ({ status }) => (status === "healthy" ? EXIT.OK : EXIT.FAILED),
});
