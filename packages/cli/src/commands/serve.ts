import type { Command } from "../command/command.ts";

/** Handed on as they are: the server's own flags. */
const FLAGS = ["host", "port", "public-url", "log-level"] as const;
const SWITCHES = ["no-auth", "demo"] as const;

export const command: Command = {
  async run({ context, options, values }) {
    const { dataDir } = await context.localAgent(options.dataDir);
    const args = [
      "start",
      "--data-dir",
      dataDir,
      ...FLAGS.flatMap((flag) => {
        const value = values.text(flag);
        return value === undefined ? [] : [`--${flag}`, value];
      }),
      ...SWITCHES.filter((flag) => values.isSet(flag)).map((flag) => `--${flag}`),
    ];
    return context.serve(args);
  },
};
