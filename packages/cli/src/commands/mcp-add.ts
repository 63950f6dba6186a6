import { usageError } from "../cli-error.ts";
import type { Command, Invocation } from "../command/command.ts";
import { listedTools } from "../command/listed-tools.ts";
import { namedArguments } from "../command/named-arguments.ts";
import { headersIn, serverParams } from "../command/typed-server.ts";
import { mcpTypedFlags } from "../command-rows/typed-flags.ts";
import { EXIT } from "../exit-codes.ts";
import { clean } from "../output/clean.ts";
import { fields } from "../output/words.ts";

export const command: Command = {
  async run(invocation) {
    const { options, output } = invocation;
    const params = await serverParams(invocation, {
      instead: ["url"],
      flags: mcpTypedFlags,
      document: typedDocument,
    });
    const client = await invocation.client();
    const { timeoutMs } = options;
    const added = await client.call("_cleveragents/registry/mcp/add", params, { timeoutMs });
    await output.result(added, {
      text: ({ name, description }) =>
        fields([
          ["Server", name],
          ["Description", description],
          ["Next", `agents mcp test ${name}`],
        ]),
      names: ({ name }) => [name],
    });
    output.note(clean(await listedTools(invocation, added.name)));
    return EXIT.OK;
  },
};

function typedDocument({ values }: Invocation, [path]: readonly string[]): Record<string, unknown> {
  const url = values.text("url");
  if (url !== undefined && path !== undefined)
    throw usageError("a server has a command after --, or a --url, not both");
  const given = (name: string, value: Record<string, string> | readonly string[]) =>
    Object.keys(value).length === 0 ? {} : { [name]: value };
  return {
    ...(url === undefined ? {} : { url }),
    ...(values.isSet("sse") ? { transport: "sse" } : {}),
    ...(values.isSet("network") ? { network: true } : {}),
    ...(values.text("sandbox") === undefined ? {} : { sandbox: values.text("sandbox") }),
    ...given("env", namedArguments(values.list("env"), "--env")),
    ...given("env_from", values.list("env-from")),
    ...given("readable", values.list("readable")),
    ...given("headers", headersIn(values.list("header"), "--header")),
    ...given("headers_from", headersIn(values.list("header-from"), "--header-from")),
    ...(values.isSet("login") ? { oauth: { login: true } } : {}),
  };
}
