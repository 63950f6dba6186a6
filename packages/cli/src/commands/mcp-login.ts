import { CliError } from "../cli-error.ts";
import type { Command } from "../command/command.ts";
import { listedTools } from "../command/listed-tools.ts";
import { EXIT } from "../exit-codes.ts";
import { clean } from "../output/clean.ts";

const WITHIN_MS = 10 * 60_000;

/** Only the browser and this command are on the user's machine for sure: the code comes back here, and goes on to the agent. */
export const command: Command = {
  async run(invocation) {
    const { context, options, output, values } = invocation;
    const name = values.positional("NAME");
    if (options.noInput || !context.stdin.isTTY)
      throw new CliError("LOGIN_NEEDS_A_PERSON", `nobody is here who could log in at ${name}`, {
        hint: "run it at a terminal; for machines: oauth with client_id and client_secret_env, or headers_from (docs/guides/mcp.md)",
        exitCode: EXIT.AUTHENTICATION,
      });
    const client = await invocation.client();
    const back = await context.loopback(values.number("port") ?? 0);
    try {
      const begun = await client.call(
        "_cleveragents/registry/mcp/login",
        { name, redirect_uri: back.url },
        { timeoutMs: options.timeoutMs },
      );
      output.warn(
        `Open this address in a browser of this machine, and log in:\n\n${clean(begun.authorization_url)}\n`,
      );
      const returned = await within(options.timeoutMs ?? WITHIN_MS, back.returned(begun.state));
      const refused = returned.get("error");
      const code = returned.get("code");
      if (refused !== null || code === null)
        throw new CliError(
          "LOGIN_REFUSED",
          clean(
            `the login was refused: ${refused ?? "no code came back"} ${returned.get("error_description") ?? ""}`.trim(),
          ),
          { exitCode: EXIT.AUTHENTICATION },
        );
      const iss = returned.get("iss");
      const done = await client.call(
        "_cleveragents/registry/mcp/authorize",
        { state: begun.state, code, ...(iss === null ? {} : { iss }) },
        { timeoutMs: options.timeoutMs },
      );
      await output.result(done, { text: (of) => `Logged in at ${of.name}`, names: (of) => [of.name] });
      output.note(clean(await listedTools(invocation, done.name)));
      return EXIT.OK;
    } finally {
      await back.close();
    }
  },
};

async function within<T>(ms: number, work: Promise<T>): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(
      () => reject(new CliError("TIMEOUT", "nobody has logged in in time", { exitCode: EXIT.TIMEOUT })),
      ms,
    );
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}
