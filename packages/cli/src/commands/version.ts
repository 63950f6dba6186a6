import type { Command } from "../command/command.ts";
import { EXIT } from "../exit-codes.ts";

export const command: Command = {
  async run({ context, output }) {
    const version = context.version();
    await output.result({ version }, { text: () => `agents ${version}`, names: () => [version] });
    return EXIT.OK;
  },
};
