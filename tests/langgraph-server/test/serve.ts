import { startServer } from "@langchain/langgraph-api/server";

const [, , port = "", cwd = ""] = process.argv;

/** LangGraph's development server in this process, before the graph beside this file. */
await startServer({
  port: Number(port),
  nWorkers: 2,
  host: "127.0.0.1",
  cwd,
  graphs: { asker: "./graph.ts:graph" },
});
