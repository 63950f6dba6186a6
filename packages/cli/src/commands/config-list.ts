import type { Command } from "../command/command.ts";
import { CONFIG_KEYS } from "../config/keys.ts";
import { loadConfig } from "../config/load-config.ts";
import { shownValue } from "../config/shown-value.ts";
import { EXIT } from "../exit-codes.ts";
import { table } from "../output/table.ts";

/** Every key with its value; with --origin also where that is from. Also `config show`. */
export const command: Command = {
  async run({ context, values, output }) {
    const settings = await loadConfig(context);
    const withOrigin = values.isSet("origin");
    const shown = settings.map((setting) => ({
      name: setting.name,
      value: shownValue(setting) ?? null,
      ...(withOrigin ? { origin: setting.origin, source: setting.source ?? null } : {}),
      summary: CONFIG_KEYS.find(({ name }) => name === setting.name)?.summary ?? "",
    }));
    await output.result(
      { settings: shown, total: shown.length },
      {
        text: ({ settings: rows }, page) =>
          table(
            rows,
            [
              { head: "KEY", cell: ({ name }) => name },
              { head: "VALUE", cell: ({ value }) => value ?? "-", shrinkTo: 8 },
              ...(withOrigin
                ? [
                    { head: "ORIGIN", cell: ({ origin }: (typeof rows)[number]) => origin ?? "" },
                    { head: "FROM", cell: ({ source }: (typeof rows)[number]) => source ?? "", shrinkTo: 12 },
                  ]
                : [
                    {
                      head: "WHAT",
                      cell: ({ summary }: (typeof rows)[number]) => summary,
                      shrinkTo: 20,
                      wrap: true as const,
                    },
                  ]),
            ],
            page,
          ),
        names: ({ settings: rows }) => rows.map(({ name }) => name),
      },
    );
    return EXIT.OK;
  },
};
