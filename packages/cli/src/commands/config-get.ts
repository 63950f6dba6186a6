import { CliError } from "../cli-error.ts";
import type { Command } from "../command/command.ts";
import { keyNamed } from "../config/config-error.ts";
import { loadConfig } from "../config/load-config.ts";
import { shownValue } from "../config/shown-value.ts";
import { EXIT } from "../exit-codes.ts";

export const command: Command = {
  async run({ context, values, output }) {
    const { name } = keyNamed(values.positional("KEY"));
    const setting = (await loadConfig(context)).find((one) => one.name === name);
    const value = setting === undefined ? undefined : shownValue(setting);
    if (setting === undefined || value === undefined)
      throw new CliError("CONFIG_UNSET", `${name} is not set`, { hint: `agents config set ${name} VALUE` });
    const { origin, source } = setting;
    await output.result(
      { name, value, origin, source: source ?? null },
      { text: () => value, names: () => [value] },
    );
    return EXIT.OK;
  },
};
