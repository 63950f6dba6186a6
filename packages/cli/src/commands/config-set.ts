import { usageError } from "../cli-error.ts";
import type { Command } from "../command/command.ts";
import { keyNamed } from "../config/config-error.ts";
import { configFileFor } from "../config/config-file-for.ts";
import { writeConfig } from "../config/write-config.ts";
import { EXIT } from "../exit-codes.ts";

export const command: Command = {
  async run({ context, values, output }) {
    const key = keyNamed(values.positional("KEY"));
    const given = values.positional("VALUE");
    const value = given === "-" ? (await context.stdin.readAll()).trim() : given;
    if (key.secret === true && given !== "-")
      output.warn(
        `${key.name} stands in your shell's history now; agents config set ${key.name} - reads it from stdin`,
      );
    if (value === "") throw usageError(`stdin has no value for ${key.name}`);
    const file = await configFileFor(context, key, values.isSet("in-project"));
    await writeConfig(context, file, [{ key, value }]);
    await output.result(
      { name: key.name, file },
      { text: () => `${key.name} is set in ${file}`, names: () => [key.name] },
    );
    return EXIT.OK;
  },
};
