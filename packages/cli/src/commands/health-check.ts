import { callCommand } from "../command/call-command.ts";
import { EXIT } from "../exit-codes.ts";
import { table } from "../output/table.ts";

export const command = callCommand({
  method: "_cleveragents/health/check",
  params: () => ({}),
  text: ({ status, service, version, checks }, page) => {
    const { green, yellow, red } = page.paint;
    const colours: Readonly<Record<string, (text: string) => string>> = {
      ok: green,
      warn: yellow,
      error: red,
    };
    const first = `${status === "healthy" ? green(status) : yellow(status)}: ${service} ${version}`;
    if (checks.length === 0) return first;
    return `${first}\n${table(
      checks,
      [
        { head: "CHECK", cell: ({ id }) => id },
        {
          head: "STATUS",
          cell: (check) => check.status,
          paint: (text, check) => colours[check.status]?.(text) ?? text,
        },
        { head: "SUMMARY", cell: ({ summary }) => summary, shrinkTo: 20 },
        { head: "REMEDY", cell: ({ remediation }) => remediation ?? "", shrinkTo: 20 },
      ],
      page,
    )}`;
  },
  names: ({ checks }) => checks.map(({ id }) => id),
  exitCode: ({ status }) => (status === "healthy" ? EXIT.OK : EXIT.FAILED),
});
