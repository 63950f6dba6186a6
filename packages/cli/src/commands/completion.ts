import type { Command } from "../command/command.ts";
import { completionScript, type Shell } from "../completion/scripts.ts";
import { EXIT } from "../exit-codes.ts";

export const command: Command = {
  async run({ values, output }) {
    output.raw(completionScript(values.positional("SHELL") as Shell)); // the parser has checked the choice
    return EXIT.OK;
  },
};
