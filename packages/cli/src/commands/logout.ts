import { usageError } from "../cli-error.ts";
import type { Command } from "../command/command.ts";
import { addressOf, endpointOf } from "../connect/endpoint.ts";
import { keepCredential, readCredentials } from "../credentials/credential-file.ts";
import { EXIT } from "../exit-codes.ts";

export const command: Command = {
  async run({ context, options, values, output }) {
    const server = values.optionalPositional("URL") ?? options.server;
    const all = values.isSet("all");
    if (!all && server === undefined)
      throw usageError("of which server?", "agents logout https://agents.example, or --all");
    const addresses = all ? Object.keys(await readCredentials(context)) : [endpointOf(server ?? "").href];
    const forgotten: string[] = [];
    for (const address of addresses)
      if (await keepCredential(context, address, undefined)) forgotten.push(addressOf(new URL(address)));
    await output.result(
      { forgotten },
      {
        text: () =>
          forgotten.length === 0
            ? "There was no sign-in to forget."
            : forgotten.map((address) => `Signed out of ${address}`).join("\n"),
        names: () => forgotten,
      },
    );
    if ((context.env["CLEVERAGENTS_SERVER_TOKEN"] ?? "") !== "")
      output.warn("CLEVERAGENTS_SERVER_TOKEN, or server.token in your configuration, still signs in");
    return EXIT.OK;
  },
};
