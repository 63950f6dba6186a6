/**
 * The agent that outside suites are run against (docs/conformance.md): the real server on the embedded stores, in a
 * folder that ends with it, without credentials, and one who answers as the suites ask. Never published.
 *
 *   npm run conformance:agent -- --port 9999 [--only-1.0] [--no-capabilities]
 */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { createPinoLogger } from "@cleveragents/infrastructure/telemetry";
import { serveHttp } from "../../src/commands/serve-http.ts";
import { readConfig } from "../../src/config.ts";
import { openEmbedded } from "../../src/embedded.ts";
import { LocalTokens } from "../../src/owner/local-tokens.ts";
import { actsBehaviours } from "./acts-behaviours.ts";
import { conformanceActor } from "./conformance-actor.ts";
import { withDistinctMessages } from "./distinct-messages.ts";
import { itkBehaviours } from "./itk-behaviours.ts";
import { tckBehaviours } from "./tck-behaviours.ts";

const { values } = parseArgs({
  options: {
    port: { type: "string", default: "9999" },
    "only-1.0": { type: "boolean", default: false },
    "no-capabilities": { type: "boolean", default: false },
  },
});

await using stack = new AsyncDisposableStack();
const dataDir = await mkdtemp(join(tmpdir(), "cleveragents-conformance-"));
stack.defer(() => rm(dataDir, { recursive: true, force: true, maxRetries: 5 }));
// The kits' own receivers of notifications are on this machine.
const env = { CLEVERAGENTS_PUSH_ALLOW: "localhost,127.0.0.1", ...process.env };
const args = ["--no-auth", "--port", values.port, "--data-dir", dataDir];
const config = readConfig(args, env, dataDir, dataDir);
const logger = createPinoLogger({ level: config.logLevel, destination: 2 });
const versions = values["only-1.0"] ? (["1.0"] as const) : undefined;
const agent = await openEmbedded({
  dataDir,
  env,
  logger,
  versions,
  capabilities: {
    streaming: !values["no-capabilities"],
    pushNotifications: !values["no-capabilities"],
    // The 0.3 kit wants a refusal without credentials, but has none to send: here nobody is refused.
    extendedAgentCard: values["only-1.0"] && !values["no-capabilities"],
  },
  actor: conformanceActor([
    itkBehaviours,
    tckBehaviours(Number(process.env["TCK_STREAMING_TIMEOUT"] ?? "2")),
    actsBehaviours,
  ]),
});
stack.defer(() => agent.close(1000));
await agent.start();
const { server, url } = await serveHttp({
  config,
  dispatcher: withDistinctMessages(agent.dispatcher),
  local: new LocalTokens("nobody is asked for it"),
  describe: (card) => agent.describe(card),
  versions,
  ready: async () => {
    await agent.check();
    return { ready: true, checks: { store: "ok" } };
  },
  logger,
});
stack.defer(() => server.close(1000));
process.stdout.write(`The conformance agent is ready at ${url}\n`);
await new Promise((told) => {
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, told);
});
