import type { Command } from "../command/command.ts";
import { keyNamed } from "../config/config-error.ts";
import { loadConfig, userConfigFile } from "../config/load-config.ts";
import { writeConfig } from "../config/write-config.ts";
import { EXIT } from "../exit-codes.ts";

export const command: Command = {
  async run({ context, output }) {
    const file = userConfigFile(context);
    const url = async () => (await loadConfig(context)).find(({ name }) => name === "server.url");
    const before = await url();
    await writeConfig(context, file, [{ key: keyNamed("server.url"), value: undefined }]);
    const after = await url();
    const was = before?.value ?? null;
    await output.result(
      { was, server: after?.value ?? null },
      {
        text: () =>
          after?.value !== undefined
            ? `Commands still speak to ${after.value}: ${after.source ?? ""} says so`
            : was === null
              ? "Commands speak to the local agent, as before."
              : `Commands speak to the local agent again, no longer to ${was}`,
        names: () => (was === null ? [] : [was]),
      },
    );
    return EXIT.OK;
  },
};
