import { usageError } from "../cli-error.ts";
import { callCommand } from "../command/call-command.ts";
import { namedArguments } from "../command/named-arguments.ts";
import { serverParams } from "../command/typed-server.ts";
import { lspTypedFlags } from "../command-rows/typed-flags.ts";
import { fields } from "../output/words.ts";

export const command = callCommand({
  method: "_cleveragents/registry/lsp/add",
  params: (invocation) =>
    serverParams(invocation, {
      instead: [],
      flags: lspTypedFlags,
      document: ({ values }) => {
        if (values.list("language").length === 0)
          throw usageError("say which language it serves, before --: --language L");
        const env = namedArguments(values.list("env"), "--env");
        return {
          languages: values.list("language"),
          ...(values.list("pattern").length === 0 ? {} : { file_patterns: values.list("pattern") }),
          ...(Object.keys(env).length === 0 ? {} : { env }),
          ...(values.isSet("network") ? { network: true } : {}),
        };
      },
    }),
  text: ({ name, description }) =>
    fields([
      ["Server", name],
      ["Description", description],
      ["Next", `agents lsp test ${name}`],
    ]),
  names: ({ name }) => [name],
});
