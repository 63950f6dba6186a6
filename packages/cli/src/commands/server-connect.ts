import type { Command } from "../command/command.ts";
import { keyNamed } from "../config/config-error.ts";
import { userConfigFile } from "../config/load-config.ts";
import { writeConfig } from "../config/write-config.ts";
import { addressOf, endpointOf, isSameServer } from "../connect/endpoint.ts";
import { probeServer } from "../connect/probe-server.ts";
import { tokenOf } from "../connect/token-of.ts";
import { EXIT } from "../exit-codes.ts";
import { fields } from "../output/words.ts";

export const command: Command = {
  async run(invocation) {
    const { context, values, output } = invocation;
    const endpoint = endpointOf(values.positional("URL"));
    const address = addressOf(endpoint);
    const token = await tokenOf(context, endpoint.href);
    const { access, version } = await probeServer(invocation, endpoint, token);
    const file = userConfigFile(context);
    await writeConfig(context, file, [{ key: keyNamed("server.url"), value: address }]);
    await output.result(
      { server: address, version: version ?? null, access, file },
      {
        text: () =>
          fields([
            ["Connected", `${address}${version === undefined ? "" : ` (version ${version})`}`],
            ["Access", WORDS[access]],
            ["Written to", file],
          ]),
        names: () => [address],
      },
    );
    if (access === "missing" || access === "refused") output.note(`Sign in: agents login ${address}`);
    const variable = context.env["CLEVERAGENTS_SERVER_URL"];
    if (variable !== undefined && variable !== "" && !isSameServer(variable, address))
      output.warn("CLEVERAGENTS_SERVER_URL is set and stands over it: unset CLEVERAGENTS_SERVER_URL");
    return EXIT.OK;
  },
};

const WORDS = {
  accepted: "you are signed in",
  limited: "you are signed in, with few rights",
  refused: "the token that is kept or set is not accepted",
  missing: "you are not signed in",
} as const;
