import type { Command, Invocation } from "../command/command.ts";
import { loadConfig } from "../config/load-config.ts";
import { addressOf, endpointOf } from "../connect/endpoint.ts";
import { type Access, probeServer } from "../connect/probe-server.ts";
import { tokenOf } from "../connect/token-of.ts";
import { credentialWords, expiryOf } from "../credentials/credential.ts";
import { readCredentials } from "../credentials/credential-file.ts";
import { EXIT, type ExitCode } from "../exit-codes.ts";
import { describeError } from "../output/describe-error.ts";
import { fields } from "../output/words.ts";

export const command: Command = {
  run: (invocation) =>
    invocation.options.server === undefined ? localStatus(invocation) : serverStatus(invocation),
};

async function localStatus({ context, options, output }: Invocation): Promise<ExitCode> {
  const { dataDir, running } = await context.localAgent(options.dataDir);
  const result = {
    mode: "local",
    transport: options.transport ?? "socket",
    data_dir: dataDir,
    running:
      running === undefined ? null : { pid: running.pid, version: running.version, url: running.url ?? null },
    client_version: context.version(),
  };
  await output.result(result, {
    text: () =>
      fields([
        ["Mode", "local agent"],
        ["Data", dataDir],
        [
          "Agent",
          running === undefined
            ? "not running; the next command that needs it starts it"
            : `process ${running.pid}, version ${running.version}`,
        ],
        ["HTTP", running?.url],
      ]),
    names: () => [dataDir],
  });
  if (running !== undefined && running.version !== context.version())
    output.warn(olderOrNewer(running.version, context.version()));
  return EXIT.OK;
}

async function serverStatus(invocation: Invocation): Promise<ExitCode> {
  const { context, options, output, values } = invocation;
  const endpoint = endpointOf(options.server ?? "");
  const address = addressOf(endpoint);
  const kept = (await readCredentials(context))[endpoint.href];
  const setting = (await loadConfig(context)).find(({ name }) => name === "server.url");
  const origin = values.text("server") === undefined ? (setting?.source ?? "environment") : "--server";
  const found = await probed(invocation, endpoint);
  const credential =
    (context.env["CLEVERAGENTS_SERVER_TOKEN"] ?? "") !== ""
      ? "CLEVERAGENTS_SERVER_TOKEN"
      : kept && credentialWords(kept);
  const { access, version, status, problem } = found;
  await output.result(
    {
      mode: "server",
      server: address,
      origin,
      reachable: access !== "unreachable",
      access,
      version: version ?? null,
      client_version: context.version(),
      health: status ?? null,
      credential: credential ?? null,
      expires_at: (kept && expiryOf(kept)) ?? null,
      ...(problem !== undefined && { problem: problem.message }),
    },
    {
      text: () =>
        fields([
          ["Mode", "server"],
          ["Server", `${address} (from ${origin})`],
          ["Answers", access === "unreachable" ? `no: ${problem?.message ?? ""}` : (status ?? "yes")],
          ["Version", version],
          ["Credential", credential ?? "none"],
          ["Until", kept && expiryOf(kept)],
          ["Access", access === "unreachable" ? undefined : WORDS[access]],
        ]),
      names: () => [address],
    },
  );
  if (version !== undefined && version !== context.version())
    output.warn(olderOrNewer(version, context.version()));
  if (access === "unreachable") {
    output.note(`hint: ${problem?.hint ?? "is the address right, and does it run?"}`);
    return problem?.exitCode ?? EXIT.UNREACHABLE;
  }
  if (access === "accepted" || access === "limited") return EXIT.OK;
  output.note(`hint: agents login ${address}`);
  return EXIT.AUTHENTICATION;
}

interface Found {
  readonly access: Access | "unreachable" | "expired";
  readonly version?: string | undefined;
  readonly status?: string | undefined;
  readonly problem?: ReturnType<typeof describeError>;
}

async function probed(invocation: Invocation, endpoint: URL): Promise<Found> {
  let token: string | undefined;
  try {
    token = await tokenOf(invocation.context, endpoint.href);
  } catch (error) {
    const problem = describeError(error);
    if (problem.exitCode === EXIT.AUTHENTICATION) return { access: "expired", problem };
    return { access: "unreachable", problem };
  }
  try {
    return await probeServer(invocation, endpoint, token);
  } catch (error) {
    return { access: "unreachable", problem: describeError(error) };
  }
}

const WORDS = {
  accepted: "you are signed in",
  limited: "you are signed in, with few rights",
  refused: "the server does not know this credential",
  missing: "you are not signed in",
  expired: "the sign-in has expired",
} as const;

function olderOrNewer(server: string, client: string): string {
  return `the agent is version ${server}, this command ${client}: what one of them does not know yet, it refuses`;
}
