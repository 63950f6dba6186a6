import type { Page } from "./output.ts";
import { table } from "./table.ts";

interface Check {
  readonly id: string;
  readonly status: "ok" | "warn" | "error";
  readonly summary: string;
  readonly remediation?: string | undefined;
}

/** What was found, and what helps. */
export function checksTable(checks: readonly Check[], page: Page): string {
  const { green, yellow, red } = page.paint;
  const colours = { ok: green, warn: yellow, error: red };
  return table(
    checks,
    [
      { head: "CHECK", cell: ({ id }) => id },
      { head: "STATUS", cell: ({ status }) => status, paint: (text, { status }) => colours[status](text) },
      { head: "SUMMARY", cell: ({ summary }) => summary, shrinkTo: 20, wrap: true },
      { head: "REMEDY", cell: ({ remediation }) => remediation ?? "", shrinkTo: 20, wrap: true },
    ],
    page,
  );
}
