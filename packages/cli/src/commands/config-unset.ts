import type { Command } from "../command/command.ts";
import { keyNamed } from "../config/config-error.ts";
import { configFileFor } from "../config/config-file-for.ts";
import { writeConfig } from "../config/write-config.ts";
import { EXIT } from "../exit-codes.ts";

export const command: Command = {
  async run({ context, values, output }) {
    const key = keyNamed(values.positional("KEY"));
    const file = await configFileFor(context, key, values.isSet("in-project"));
    await writeConfig(context, file, [{ key, value: undefined }]);
    await output.result(
      { name: key.name, file },
      { text: () => `${key.name} is not set in ${file}`, names: () => [key.name] },
    );
    return EXIT.OK;
  },
};
