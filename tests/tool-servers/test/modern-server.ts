import { createServer } from "node:http";
import { toNodeHandler } from "@modelcontextprotocol/node";
import { createMcpHandler, McpServer } from "@modelcontextprotocol/server";
import { serveStdio } from "@modelcontextprotocol/server/stdio";
import { z } from "zod";

/** A server with the library's own new version: `modern-server.ts [http]`. */
let grown = 0;
let notify: (() => void) | undefined;

function build(): McpServer {
  const server = new McpServer(
    { name: "modern", version: "1.0.0" },
    { capabilities: { tools: { listChanged: true } } },
  );
  const nothing = { inputSchema: z.object({}) };
  const said = (text: string) => ({ content: [{ type: "text" as const, text }] });
  const add = (n: number) => server.registerTool(`grown-${n}`, { ...nothing }, async () => said(`tool ${n}`));
  server.registerTool(
    "count",
    { inputSchema: z.object({ text: z.string() }), outputSchema: z.object({ length: z.number() }) },
    async ({ text }) => ({ ...said(text), structuredContent: { length: text.length } }),
  );
  server.registerTool("grow", { ...nothing }, async () => {
    grown += 1;
    if (notify === undefined) add(grown);
    else notify();
    return said("grown");
  });
  for (let n = 1; n <= grown; n += 1) add(n);
  return server;
}

if (process.argv[2] === "http") {
  const handler = createMcpHandler(build);
  notify = () => handler.notify.toolsChanged();
  const answer = toNodeHandler(handler);
  // A cast, because a request's optional fields may be undefined for the compiler.
  createServer((request, response) => void answer(request as never, response)).listen(
    Number(process.env["PORT"]),
    "127.0.0.1",
    () => {
      process.stderr.write("ready\n");
    },
  );
} else {
  serveStdio(build);
}
