import { spawn } from "node:child_process";
import { once } from "node:events";
import { cp, mkdtemp, rm } from "node:fs/promises";
import { type AddressInfo, createServer } from "node:net";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { HttpRemoteAgents } from "@cleveragents/infrastructure/a2a-agents";
import { remoteGraphSuite } from "@cleveragents/testing";

const here = fileURLToPath(new URL(".", import.meta.url));

remoteGraphSuite(async () => {
  // It writes into the folder that it is started in, and finds its packages above that.
  const folder = await mkdtemp(join(here, "..", "served-"));
  await cp(join(here, "graph.ts"), join(folder, "graph.ts"));
  const port = await freePort();
  const child = spawn(process.execPath, [join(here, "serve.ts"), String(port), folder], {
    cwd: folder,
    stdio: ["ignore", "ignore", "inherit"],
    env: { PATH: process.env["PATH"], HOME: folder, LANGSMITH_TRACING: "false" },
  });
  const url = `http://127.0.0.1:${port}`;
  await answering(`${url}/ok`);
  const agents = new HttpRemoteAgents({ env: {}, dataDir: folder, loopback: () => true });
  return {
    url,
    agents,
    async [Symbol.asyncDispose]() {
      const ended = once(child, "exit");
      child.kill("SIGKILL");
      await ended;
      await rm(folder, { recursive: true, force: true });
    },
  };
});

async function answering(url: string): Promise<void> {
  for (let tries = 0; ; tries++) {
    const answer = await fetch(url).catch(() => undefined);
    if (answer?.ok === true) return;
    if (tries > 600) throw new Error("the server has not started");
    await sleep(100);
  }
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, "close");
  return port;
}
